package io.pathlore.cli.service;

import io.pathlore.mitigate.ledger.Mitigation;
import io.pathlore.mitigate.ledger.Mitigations;
import io.pathlore.mitigate.ledger.Mode;
import io.pathlore.mitigate.ledger.State;
import io.pathlore.mitigate.notice.Notifier;
import io.pathlore.model.AttackVector;
import io.pathlore.serve.metrics.MetricSource;
import io.pathlore.serve.metrics.MetricWriter;
import java.util.EnumMap;
import java.util.Map;

/** Attacks, and what is done about them, in numbers. */
final class DefenceMetrics implements MetricSource {
    private final Defence defence;
    private final EventBook events;

    DefenceMetrics(Defence defence, EventBook events) {
        this.defence = defence;
        this.events = events;
    }

    @Override
    public void write(MetricWriter out) {
        Map<AttackVector, Long> attacks = events.attacks();
        MetricWriter.Family found = out.counter("pathlore_attacks_total", "Attacks found.", "vector");
        for (AttackVector vector : AttackVector.values()) {
            found.value(attacks.getOrDefault(vector, 0L), vector.label());
        }
        Mitigations.View view = defence.mitigations().view();
        MetricWriter.Family modes =
                out.gauge("pathlore_defend_mode", "1 for how far the ledger goes by itself, else 0.", "mode");
        for (Mode mode : Mode.values()) {
            modes.value(view.mode() == mode ? 1 : 0, mode.label());
        }
        ledger(out, view);
        notices(out);
    }

    private void ledger(MetricWriter out, Mitigations.View view) {
        Map<State, Long> counts = new EnumMap<>(State.class);
        long stopped = 0;
        for (Mitigation one : view.mitigations()) {
            counts.merge(one.state(), 1L, Long::sum);
            stopped += one.proven() ? Math.max(0, one.packetsPerSecond()) : 0;
        }
        MetricWriter.Family states = out.gauge(
                "pathlore_mitigations", "Mitigations in the ledger, those that are over among them.", "state");
        for (State state : State.values()) {
            states.value(counts.getOrDefault(state, 0L), state.label());
        }
        out.gauge("pathlore_mitigation_stopped_packets_per_second", "Packets that proven rules drop.")
                .value(stopped);
        MetricWriter.Family errors = out.counter(
                "pathlore_mitigation_errors_total", "Orders that an enforcer did not carry out.", "enforcer");
        view.errors().forEach((enforcer, count) -> errors.value(count, enforcer));
        out.counter("pathlore_mitigation_turned_away_total", "Proposals there was no room for.")
                .value(view.turnedAway());
        out.counter("pathlore_mitigation_unheard_total", "What the ledger was told and had no time for.")
                .value(view.heardNot());
        out.gauge("pathlore_mitigation_orphans", "Rules that drop packets and are not in the ledger.")
                .value(view.orphans().size());
        out.gauge("pathlore_mitigation_ledger_writable", "1 while the ledger can be written, else 0.")
                .value(view.diskTrouble().isEmpty() ? 1 : 0);
        out.counter("pathlore_drop_reports_disbelieved_total", "Drop reports of who may not speak for a rule.")
                .value(view.disbelievedDropReports());
    }

    private void notices(MetricWriter out) {
        long sent = 0;
        long lost = 0;
        for (Notifier notifier : defence.notifiers()) {
            Notifier.Health health = notifier.health();
            sent += health.sent();
            lost += health.lost() + health.turnedAway();
        }
        out.counter("pathlore_notices_sent_total", "Notices that a webhook took.")
                .value(sent);
        out.counter("pathlore_notices_silenced_total", "Notices that a maintenance window kept back.")
                .value(defence.maintenance().count());
        out.counter("pathlore_notices_lost_total", "Notices that were given up.")
                .value(lost);
    }
}
