package io.pathlore.dataplane.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.dataplane.traffic.Stage.Timer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SimulationTest {
    private final Simulation simulation = new Simulation();
    private final List<String> fired = new ArrayList<>();

    private Timer timer(String name) {
        return new Timer() {
            @Override
            protected void fire(long nowNanos) {
                fired.add(nowNanos + name);
            }
        };
    }

    @Test
    void firesInTheOrderOfTimeThenOfStarting() {
        simulation.start(timer("a"), 5);
        simulation.start(timer("b"), 3);
        simulation.start(timer("c"), 5);
        simulation.start(timer("d"), 3);
        simulation.start(timer("e"), 6);
        simulation.runUntil(5);
        assertThat(fired).containsExactly("3b", "3d", "5a", "5c");
        assertThat(simulation.nowNanos()).isEqualTo(5);
        simulation.runUntil(100);
        assertThat(fired).endsWith("6e");
        assertThat(simulation.nowNanos()).isEqualTo(100);
    }

    @Test
    void aTimerMayStartItselfAgain() {
        simulation.start(
                new Timer() {
                    @Override
                    protected void fire(long nowNanos) {
                        fired.add("" + nowNanos);
                        simulation.start(this, nowNanos + 10);
                        // At the same time, but after what was started for it before.
                        simulation.start(timer("now"), nowNanos);
                    }
                },
                1);
        simulation.start(timer("x"), 11);
        simulation.runUntil(25);
        assertThat(fired).containsExactly("1", "1now", "11x", "11", "11now", "21", "21now");
    }

    @Test
    void refusesThePast() {
        simulation.runUntil(10);
        assertThatThrownBy(() -> simulation.start(timer("late"), 9)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void keepsTheOrderOfAnyNumberOfTimers() {
        record Due(long at, int number) {}
        SplittableRandom random = new SplittableRandom(7);
        List<Due> due = new ArrayList<>();
        List<Due> got = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            Due entry = new Due(time(random), i);
            due.add(entry);
            simulation.start(
                    new Timer() {
                        @Override
                        protected void fire(long nowNanos) {
                            assertThat(nowNanos).isEqualTo(entry.at);
                            got.add(entry);
                            if (random.nextInt(3) == 0) {
                                Due more = new Due(nowNanos + time(random), due.size());
                                due.add(more);
                                simulation.start(
                                        new Timer() {
                                            @Override
                                            protected void fire(long now) {
                                                got.add(more);
                                            }
                                        },
                                        more.at);
                            }
                        }
                    },
                    entry.at);
        }
        for (long until = 0; got.size() < due.size(); until += random.nextLong(30_000_000)) {
            simulation.runUntil(until);
        }
        due.sort(Comparator.comparingLong(Due::at).thenComparingInt(Due::number));
        assertThat(got).isEqualTo(due);
        assertThat(simulation.fired()).isEqualTo(due.size());
    }

    /** Near, within the wheel, at its end, and far. */
    private static long time(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(3_000);
            case 1 -> random.nextInt(8_000_000);
            case 2 -> 1024L * 8192 + random.nextInt(-2_048, 2_048);
            default -> random.nextLong(100_000_000);
        };
    }
}
