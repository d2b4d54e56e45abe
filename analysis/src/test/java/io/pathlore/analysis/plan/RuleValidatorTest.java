package io.pathlore.analysis.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.Prefix;
import io.pathlore.model.Rule;
import io.pathlore.model.RuleMatch;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RuleValidatorTest {
    private static final int ANY = RuleMatch.ANY;
    private static final long MAC = 0x0200_0000_0001L;
    private static final Prefix VICTIM = prefix("198.51.100.1", 32);
    private static final RuleValidator OPEN = new RuleValidator(List.of());
    private static final int RANDOM_RULES = 1_000_000;

    private static Prefix prefix(String address, int length) {
        long low = 0;
        for (String octet : address.split("\\.", -1)) {
            low = low << 8 | Integer.parseInt(octet);
        }
        return new Prefix(false, 0, low, length);
    }

    private static Prefix v6(long high, int length) {
        return new Prefix(true, high, 1, length);
    }

    private static RuleMatch match(
            long device, @Nullable Prefix source, @Nullable Prefix destination, int protocol, int port) {
        return new RuleMatch(device, source, destination, protocol, port);
    }

    private static @Nullable String refusal(RuleMatch match) {
        return OPEN.refusal(Rule.drop(match), true);
    }

    @Test
    void letsADeviceBeStoppedFromReachingItsVictim() {
        assertThat(refusal(match(MAC, null, VICTIM, 17, 80))).isNull();
        assertThat(refusal(match(ANY, prefix("10.0.0.7", 32), VICTIM, ANY, ANY)))
                .isNull();
        assertThat(OPEN.refusal(new Rule(match(ANY, null, VICTIM, 6, 443), 1_000_000), true))
                .isNull();
    }

    @Test
    void refusesWhatNoPacketHas() {
        assertThat(refusal(match(MAC, null, VICTIM, 17, 70_000))).contains("70000");
        assertThat(refusal(match(MAC, null, VICTIM, 17, -2))).contains("destination port");
        assertThat(refusal(match(MAC, null, VICTIM, 99_980, 80))).contains("protocol: 99980");
        assertThat(refusal(match(MAC, null, VICTIM, 1, 80))).contains("ICMP");
        assertThat(refusal(match(0, null, VICTIM, 17, 80))).contains("device");
        assertThat(refusal(match(1L << 48, null, VICTIM, 17, 80))).contains("device");
        assertThat(refusal(match(0x0100_5E00_0001L, null, VICTIM, 17, 80))).contains("group");
        assertThat(OPEN.refusal(new Rule(match(MAC, null, VICTIM, 17, 80), -5), true))
                .contains("rate");
        assertThat(refusal(match(ANY, v6(0x2001_0DB8L << 32, 128), VICTIM, 17, 80)))
                .contains("families");
    }

    @Test
    void refusesWhatWouldHoldForEverybody() {
        assertThat(refusal(match(ANY, null, null, ANY, ANY))).contains("0 fields");
        assertThat(refusal(match(ANY, null, VICTIM, ANY, ANY))).contains("1 field;");
        assertThat(refusal(match(ANY, null, null, 17, 80))).contains("everybody");
        assertThat(refusal(match(MAC, null, prefix("0.0.0.0", 0), 17, 80))).contains("default route");
        assertThat(refusal(match(MAC, null, v6(0, 0), 17, 80))).contains("default route");
        assertThat(refusal(match(MAC, null, prefix("224.0.0.5", 32), 17, 80))).contains("multicast");
        assertThat(refusal(match(MAC, null, prefix("192.0.0.0", 2), 17, 80))).contains("multicast");
        assertThat(refusal(match(MAC, null, v6(0xFF02L << 48, 128), 17, 80))).contains("multicast");
        assertThat(refusal(match(MAC, null, prefix("127.0.0.1", 32), 17, 80))).contains("nobody");
    }

    @Test
    void largePrefixesNeedSomebodyToApproveThem() {
        RuleMatch wide = match(MAC, null, prefix("198.51.0.0", 16), 17, ANY);
        assertThat(refusal(wide)).contains("/24");
        assertThat(OPEN.refusal(Rule.drop(wide), false)).isNull();
        assertThat(refusal(match(MAC, null, prefix("198.51.100.0", 24), 17, ANY)))
                .isNull();
        assertThat(refusal(match(MAC, null, v6(0x2001_0DB8L << 32, 47), 17, ANY)))
                .contains("/48");
        assertThat(refusal(match(MAC, null, v6(0x2001_0DB8L << 32, 48), 17, ANY)))
                .isNull();
    }

    @Test
    void neverBlocksThoseItIsToldOf() {
        RuleValidator validator = new RuleValidator(List.of(
                new NeverBlock(prefix("192.0.2.53", 32), NeverBlock.Direction.DESTINATION),
                new NeverBlock(prefix("10.255.0.0", 16), NeverBlock.Direction.SOURCE)));
        RuleMatch toDns = match(MAC, null, prefix("192.0.2.53", 32), 17, 53);
        assertThat(validator.refusal(Rule.drop(toDns), false))
                .isEqualTo("never-block: it would stop packets to 192.0.2.53");
        RuleMatch around = match(MAC, null, prefix("192.0.2.0", 24), 17, 53);
        assertThat(validator.refusal(Rule.drop(around), false)).contains("192.0.2.53");
        RuleMatch anywhere = match(MAC, prefix("10.0.0.7", 32), null, 17, 53);
        assertThat(validator.refusal(Rule.drop(anywhere), false)).contains("packets to");
        RuleMatch ownRouter = match(ANY, prefix("10.255.3.1", 32), VICTIM, 17, 53);
        assertThat(validator.refusal(Rule.drop(ownRouter), false)).contains("packets from 10.255.0.0/16");
        RuleMatch everybody = match(ANY, null, VICTIM, 17, 53);
        assertThat(validator.refusal(Rule.drop(everybody), false)).contains("packets from");
        // A customer's device is none of the operator's own, whatever prefix it is in.
        assertThat(validator.refusal(Rule.drop(match(MAC, null, VICTIM, 17, 53)), true))
                .isNull();
        RuleMatch fromDns = match(ANY, prefix("192.0.2.53", 32), VICTIM, 17, 53);
        assertThat(validator.refusal(Rule.drop(fromDns), true)).isNull();
    }

    /** Whatever is asked for: what passes is narrow, in range, and hits nobody who must not be hit. */
    @Test
    void letsNothingPassThatIsAbsurd() {
        Prefix kept = prefix("203.0.113.0", 24);
        RuleValidator validator = new RuleValidator(List.of(new NeverBlock(kept, NeverBlock.Direction.BOTH)));
        SplittableRandom random = new SplittableRandom(17);
        int passed = 0;
        for (int i = 0; i < RANDOM_RULES; i++) {
            RuleMatch match = match(
                    random.nextBoolean() ? ANY : random.nextLong(-5, 1L << random.nextInt(3, 50)),
                    prefix(random),
                    prefix(random),
                    random.nextBoolean() ? ANY : random.nextInt(-3, 300),
                    random.nextBoolean() ? ANY : random.nextInt(-3, 100_000));
            Rule rule = new Rule(match, random.nextInt(10) == 0 ? -1 : random.nextInt(100));
            if (validator.refusal(rule, true) != null) {
                continue;
            }
            passed++;
            assertThat(rule.bytesPerSecond()).isNotNegative();
            assertThat(match.protocol()).isBetween(-1, 255);
            assertThat(match.destinationPort()).isBetween(-1, 65_535);
            assertThat(match.device() == ANY || match.device() > 0 && match.device() < 1L << 48)
                    .isTrue();
            assertThat(match.device() != ANY || match.source() != null || match.destination() != null)
                    .isTrue();
            for (Prefix one : new Prefix[] {match.source(), match.destination()}) {
                if (one != null) {
                    assertThat(one.length()).isGreaterThanOrEqualTo(one.v6() ? 48 : 24);
                    assertThat(one.overlaps(kept)).isFalse();
                    assertThat(one.v6() ? one.high() >>> 56 : one.low() >>> 28).isNotEqualTo(one.v6() ? 0xFF : 0xE);
                }
            }
        }
        assertThat(passed).isGreaterThan(1_000);
    }

    private static @Nullable Prefix prefix(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> null;
            case 1 -> new Prefix(false, 0, random.nextLong(1L << 32), random.nextInt(33));
            case 2 -> new Prefix(false, 0, 0xCB00_7100L + random.nextInt(512) - 128, random.nextInt(20, 33));
            default -> new Prefix(true, random.nextLong(), random.nextLong(), random.nextInt(129));
        };
    }
}
