package io.pathlore.ingest.udp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DatagramBatchTest {
    private final DatagramBatch batch = new DatagramBatch(2, 1_000, 4);

    @Test
    void keepsWhatIsKnownOfEachApart() {
        int first = batch.add(7, 300, 300, -5, DatagramBatch.KERNEL_TIME);
        batch.source(first, true, -1, Long.MIN_VALUE, 0xFFFF);
        batch.destination(first, 2, -3, 0xFFFE);
        int second = batch.add(batch.slotOffset(1), 1_000, 65_527, Long.MAX_VALUE, 0);
        batch.source(second, false, 0, 0xFFFF_FFFFL, 1);
        batch.destination(second, 0, 0x7F00_0001L, 0xFFFF);

        assertThat(batch.size()).isEqualTo(2);
        assertThat(batch.offset(first)).isEqualTo(7);
        assertThat(batch.length(first)).isEqualTo(300);
        assertThat(batch.end(first)).isEqualTo(307);
        assertThat(batch.wireLength(first)).isEqualTo(300);
        assertThat(batch.truncated(first)).isFalse();
        assertThat(batch.timeNanos(first)).isEqualTo(-5);
        assertThat(batch.v6(first)).isTrue();
        assertThat(batch.sourceHi(first)).isEqualTo(-1);
        assertThat(batch.sourceLo(first)).isEqualTo(Long.MIN_VALUE);
        assertThat(batch.sourcePort(first)).isEqualTo(0xFFFF);
        assertThat(batch.destinationHi(first)).isEqualTo(2);
        assertThat(batch.destinationLo(first)).isEqualTo(-3);
        assertThat(batch.destinationPort(first)).isEqualTo(0xFFFE);
        assertThat(batch.flags(first)).isEqualTo(DatagramBatch.KERNEL_TIME);

        assertThat(batch.offset(second)).isEqualTo(batch.slotOffset(1));
        assertThat(batch.wireLength(second)).isEqualTo(65_527);
        assertThat(batch.truncated(second)).isTrue();
        assertThat(batch.timeNanos(second)).isEqualTo(Long.MAX_VALUE);
        assertThat(batch.v6(second)).isFalse();
        assertThat(batch.sourceLo(second)).isEqualTo(0xFFFF_FFFFL);
        assertThat(batch.sourcePort(second)).isEqualTo(1);
        assertThat(batch.destinationPort(second)).isEqualTo(0xFFFF);
        assertThat(batch.flags(second)).isEqualTo(DatagramBatch.TRUNCATED);
    }

    @Test
    void whatWasKnownOfAnEarlierOneIsForgotten() {
        int old = batch.add(0, 1, 2, 3, DatagramBatch.KERNEL_TIME);
        batch.source(old, true, 4, 5, 6);
        batch.destination(old, 7, 8, 9);
        batch.mark(old, DatagramBatch.DUPLICATE | DatagramBatch.UNBOUND);
        assertThat(batch.flags(old)).isEqualTo(15);
        batch.clear();
        int next = batch.add(0, 1, 1, 3, 0);
        batch.source(next, false, 0, 5, 6);
        batch.destination(next, 0, 8, 0);
        assertThat(batch.flags(next)).isZero();
        assertThat(batch.v6(next)).isFalse();
        assertThat(batch.destinationPort(next)).isZero();
    }

    @Test
    void equalBytesHaveEqualChecksumsWhereverTheyLie() {
        for (int i = 0; i < 300; i++) {
            batch.data().put(i, (byte) (i * 7)).put(batch.slotOffset(1) + i, (byte) (i * 7));
        }
        int one = batch.add(0, 300, 300, 0, 0);
        int other = batch.add(batch.slotOffset(1), 300, 300, 0, 0);
        int shorter = batch.add(0, 299, 299, 0, 0);
        assertThat(batch.checksum(one)).isEqualTo(batch.checksum(other)).isNotEqualTo(batch.checksum(shorter));
        for (int i : new int[] {0, 8, 150, 299}) {
            long before = batch.checksum(other);
            batch.data().put(batch.slotOffset(1) + i, (byte) 99);
            assertThat(batch.checksum(other)).isNotEqualTo(before);
        }
        assertThat(batch.data().position()).isZero();
        assertThat(batch.data().limit()).isEqualTo(batch.data().capacity());
    }
}
