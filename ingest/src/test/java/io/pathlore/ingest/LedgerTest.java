package io.pathlore.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.ingest.Ledger.Term;
import io.pathlore.model.Fault;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class LedgerTest {
    @Test
    void speaksTheNamesOfTheContract() {
        var ledger = new Ledger(true);
        Ledger.Worker worker = ledger.addWorker();
        worker.add(Term.DATAGRAMS_READ, 7);
        worker.add(Term.BYTES_READ, 700);
        worker.rejected(Rejection.ACL);
        worker.rejected(Rejection.EMPTY);
        worker.add(Term.ACCEPTED, 5);
        worker.add(Term.DECODED_DATAGRAMS, 4);
        worker.undecodable(Fault.TR_UNKNOWN_VERSION);
        worker.add(Term.JOURNALLED, 4);
        worker.journalDropped(JournalDrop.SLOW);
        worker.add(Term.REPORTS_SEEN, 6);
        worker.add(Term.REPORTS_DECODED, 5);
        worker.reportRejected(Fault.TR20_TRAILING_BYTES);
        worker.add(Term.ANALYSED, 3);
        worker.count(Term.DUPLICATES);
        worker.shed(Shed.BINDING);
        worker.add(Term.SEQUENCE_LOST, 2);
        worker.publish();
        var drops = new KernelDrops();
        drops.observe(9);
        ledger.addSocket("0.0.0.0:8555", drops);
        assertThat(ledger.snapshot().toJson())
                .isEqualTo("{\"datagramsRead\":7,\"bytesRead\":700,\"accepted\":5,\"queueDropped\":0,"
                        + "\"rejected\":{\"empty\":1,\"oversize\":0,\"acl\":1,\"rate\":0},"
                        + "\"decodedDatagrams\":4,\"undecodable\":{\"TR_UNKNOWN_VERSION\":1},"
                        + "\"journalled\":4,\"journalDropped\":{\"full\":0,\"slow\":1,\"error\":0},"
                        + "\"reportsSeen\":6,\"reportsDecoded\":5,\"reportsRejected\":{\"TR20_TRAILING_BYTES\":1},"
                        + "\"analysed\":3,\"duplicates\":1,"
                        + "\"shed\":{\"overload\":0,\"late\":0,\"binding\":1,\"self\":0,\"elsewhere\":0},"
                        + "\"kernelDropped\":{\"0.0.0.0:8555\":9},\"sequenceLost\":2,\"inFlight\":0}");
        assertThat(ledger.snapshot().check()).isEmpty();
    }

    @Test
    void namesTheEquationThatDoesNotHold() {
        var ledger = new Ledger(true);
        Ledger.Worker worker = ledger.addWorker();
        worker.count(Term.DATAGRAMS_READ);
        worker.publish();
        assertThat(ledger.snapshot().check())
                .containsExactly("datagramsRead = accepted + queueDropped + rejected does not hold:"
                        + " 1 against 0, 0 in flight");
        worker.count(Term.ACCEPTED);
        worker.publish();
        assertThat(ledger.snapshot().check()).hasSize(2);
        worker.count(Term.ANALYSED);
        worker.publish();
        assertThat(ledger.snapshot().check()).hasSize(3);
    }

    @Test
    void withoutAJournalNothingIsMissedInIt() {
        var ledger = new Ledger(false);
        Ledger.Worker worker = ledger.addWorker();
        worker.count(Term.DATAGRAMS_READ);
        worker.count(Term.ACCEPTED);
        worker.count(Term.DECODED_DATAGRAMS);
        worker.publish();
        assertThat(ledger.snapshot().check()).isEmpty();
        assertThat(ledger.snapshot().toJson()).doesNotContain("journal");
    }

    @Test
    void whatWaitsBetweenThreadsIsInFlight() {
        var ledger = new Ledger(true);
        Ledger.Worker reader = ledger.addWorker();
        Ledger.Worker writer = ledger.addWorker();
        ledger.addHolder(() -> 2);
        reader.add(Term.DATAGRAMS_READ, 5);
        reader.add(Term.ACCEPTED, 5);
        reader.add(Term.DECODED_DATAGRAMS, 5);
        reader.publish();
        writer.add(Term.JOURNALLED, 3);
        writer.publish();
        assertThat(ledger.snapshot().inFlight()).isEqualTo(2);
        assertThat(ledger.snapshot().check()).isEmpty();
        assertThat(ledger.snapshot().equations().get(2).remainder()).isEqualTo(2);
    }

    @Test
    void addsUpSocketsOfOneLabel() {
        var ledger = new Ledger(false);
        for (int drops : List.of(3, 4)) {
            var socket = new KernelDrops();
            socket.observe(drops);
            ledger.addSocket("[::]:8555", socket);
        }
        assertThat(ledger.snapshot().kernelDropped()).isEqualTo(7);
        assertThat(ledger.snapshot().kernelDroppedBySocket()).containsEntry("[::]:8555", 7L);
    }

    /** The writer counts datagrams and their outcome at different times, but shows them together. */
    @Test
    void isNeverSeenHalfWritten() throws InterruptedException {
        var ledger = new Ledger(false);
        Ledger.Worker worker = ledger.addWorker();
        var done = new AtomicBoolean();
        Thread writer = Thread.ofPlatform().start(() -> {
            while (!done.get()) {
                worker.add(Term.DATAGRAMS_READ, 64);
                worker.add(Term.ACCEPTED, 63);
                worker.add(Term.DECODED_DATAGRAMS, 62);
                worker.undecodable(Fault.TR_UNKNOWN_VERSION);
                worker.rejected(Rejection.RATE);
                worker.publish();
                for (int work = 0; work < 200; work++) { // a batch takes its time
                    Thread.onSpinWait();
                }
            }
        });
        long last = 0;
        int moved = 0;
        for (int i = 0; i < 20_000 && moved < 1_000; i++) {
            Ledger.Snapshot snapshot = ledger.snapshot();
            if (snapshot.atOnce()) {
                assertThat(snapshot.check()).isEmpty();
                assertThat(snapshot.read(Term.DATAGRAMS_READ)).isGreaterThanOrEqualTo(last);
                moved += snapshot.read(Term.DATAGRAMS_READ) > last ? 1 : 0;
                last = snapshot.read(Term.DATAGRAMS_READ);
            }
        }
        done.set(true);
        writer.join();
        assertThat(moved).isPositive();
    }
}
