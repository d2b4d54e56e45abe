package io.pathlore.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class PrefixTest {
    private static final Prefix TEN = new Prefix(false, 0, 0x0A000000L, 8);
    private static final Prefix HOST = Prefix.address(false, 0, 0x0A010203L);
    private static final Prefix DOCUMENTATION = new Prefix(true, 0x20010DB8_00000000L, 0, 32);

    @Test
    void isWrittenAsPeopleDo() {
        assertThat(TEN).hasToString("10.0.0.0/8");
        assertThat(HOST).hasToString("10.1.2.3");
        assertThat(DOCUMENTATION).hasToString("2001:db8::/32");
        assertThat(Prefix.address(true, 0, 1)).hasToString("::1");
    }

    @Test
    void isTheSameNetworkWhateverStoodBehindItsLength() {
        assertThat(new Prefix(false, -1, 0xFF_0A01_0203L, 8)).isEqualTo(TEN);
        assertThat(new Prefix(true, 0x20010DB8_12345678L, 7, 32)).isEqualTo(DOCUMENTATION);
        assertThat(new Prefix(true, 5, 0xFFL, 124)).isEqualTo(new Prefix(true, 5, 0xF0L, 124));
        assertThat(new Prefix(true, 5, 7, 0)).isEqualTo(new Prefix(true, 0, 0, 0));
        assertThat(new Prefix(false, 5, 7, 0)).isEqualTo(new Prefix(false, 0, 0, 0));
    }

    @Test
    void holdsItsOwnAndNoOtherFamily() {
        assertThat(TEN.holds(HOST)).isTrue();
        assertThat(HOST.holds(TEN)).isFalse();
        assertThat(TEN.holds(false, 0, 0x0B000000L)).isFalse();
        assertThat(new Prefix(true, 0, 0, 0).holds(HOST)).isFalse();
        assertThat(DOCUMENTATION.holds(true, 0x20010DB8_FFFFFFFFL, 9)).isTrue();
        assertThat(TEN.overlaps(HOST)).isTrue();
        assertThat(HOST.overlaps(TEN)).isTrue();
        assertThat(DOCUMENTATION.overlaps(TEN)).isFalse();
        assertThat(TEN.holds(null)).isFalse();
    }

    @Test
    void knowsNoLengthThatItsFamilyHasNot() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Prefix(false, 0, 0, 33));
        assertThatIllegalArgumentException().isThrownBy(() -> new Prefix(true, 0, 0, 129));
        assertThatIllegalArgumentException().isThrownBy(() -> new Prefix(true, 0, 0, -1));
    }
}
