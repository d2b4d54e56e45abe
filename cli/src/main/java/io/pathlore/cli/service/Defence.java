package io.pathlore.cli.service;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details.Attack;
import io.pathlore.analysis.plan.Plan;
import io.pathlore.analysis.plan.RuleProof;
import io.pathlore.cli.config.EnforcerSetting;
import io.pathlore.cli.config.Service;
import io.pathlore.mitigate.audit.AuditLog;
import io.pathlore.mitigate.bgp.Peering;
import io.pathlore.mitigate.enforcer.Enforcer;
import io.pathlore.mitigate.enforcer.FlowSpec;
import io.pathlore.mitigate.enforcer.LocalCommand;
import io.pathlore.mitigate.enforcer.TransparentSecurity;
import io.pathlore.mitigate.enforcer.Webhook;
import io.pathlore.mitigate.http.Destination;
import io.pathlore.mitigate.http.Secret;
import io.pathlore.mitigate.ledger.Answer;
import io.pathlore.mitigate.ledger.BlastRadius;
import io.pathlore.mitigate.ledger.LedgerClock;
import io.pathlore.mitigate.ledger.LedgerListener;
import io.pathlore.mitigate.ledger.Mitigation;
import io.pathlore.mitigate.ledger.Mitigations;
import io.pathlore.mitigate.ledger.Mode;
import io.pathlore.mitigate.ledger.Operator;
import io.pathlore.mitigate.ledger.Orphan;
import io.pathlore.mitigate.ledger.Proposal;
import io.pathlore.mitigate.ledger.State;
import io.pathlore.mitigate.notice.Maintenance;
import io.pathlore.mitigate.notice.Notice;
import io.pathlore.mitigate.notice.Notifier;
import io.pathlore.model.EventId;
import io.pathlore.model.JsonLine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is done about attacks: from what analysis tells, through planning, to the ledger, and who is told of it. */
public final class Defence implements RuleProof.Counts, AutoCloseable {
    /** Nodes that are named once each, when their drop reports are not believed: anybody can send such reports, and many. */
    private static final int DOUBTED = 64;

    /** Attacks of which it is remembered what was planned. */
    private static final int PLANNED = 256;

    /** Decisions that are kept for people to look at. */
    private static final int DECISIONS = 4096;

    /**
     * What planning said of an attack.
     *
     * @param refusals why there is no rule against some of it
     * @param objections why rules must wait for somebody to approve them
     */
    record Planned(List<String> refusals, List<String> objections) {
        static final Planned NOTHING = new Planned(List.of(), List.of());
    }

    private final Mitigations mitigations;
    private final AuditLog audit;
    private final List<Notifier> notifiers;
    private final Maintenance maintenance;
    private final Planning planning;
    private final Notes notes;
    private final Service.Defending defend;
    private final Set<Long> doubted = new HashSet<>();
    private final LinkedHashMap<EventId, Planned> planned = new LinkedHashMap<>();
    private final Decisions decisions = new Decisions(DECISIONS);

    private Defence(
            Service.Defending defend,
            Mitigations mitigations,
            AuditLog audit,
            List<Notifier> notifiers,
            Maintenance maintenance,
            Planning planning,
            Notes notes) {
        this.defend = defend;
        this.mitigations = mitigations;
        this.audit = audit;
        this.notifiers = notifiers;
        this.maintenance = maintenance;
        this.planning = planning;
        this.notes = notes;
    }

    /** Is told what a rule stopped, between two of its drop reports. */
    interface Stopped {
        void on(Mitigation rule, long fromNanos, long untilNanos, long packets);
    }

    /** @param blastRadius what else a rule would have hit */
    static Defence start(Service service, BlastRadius blastRadius, Stopped stopped, Notes notes)
            throws ServiceException {
        Service.Defending defend = service.defend();
        Path directory = service.mitigationDirectory();
        List<AutoCloseable> opened = new ArrayList<>();
        boolean done = false;
        try {
            Files.createDirectories(directory);
            AuditLog audit = new AuditLog(service.auditFile());
            opened.add(audit);
            List<Notifier> notifiers = new ArrayList<>();
            for (EnforcerSetting.Notify one : defend.notices()) {
                Path secret = one.secretFile();
                Notifier notifier = new Notifier(
                        Destination.parse(one.url(), one.privateAllowed()),
                        secret == null ? null : Secret.read(secret),
                        one.grouping(),
                        notice -> one.filter().matches(new NoticeSubject(notice)));
                notifiers.add(notifier);
                opened.add(notifier);
            }
            Maintenance maintenance = new Maintenance(
                    defend.maintenance().stream().map(Defence::window).toList(),
                    Instant::now,
                    notice -> notifiers.forEach(one -> one.tell(notice)));
            opened.add(maintenance);
            List<Enforcer> enforcers = new ArrayList<>();
            for (EnforcerSetting one : defend.enforcers()) {
                Enforcer enforcer = enforcer(one);
                enforcers.add(enforcer);
                opened.add(enforcer);
            }
            Planning planning = new Planning(service);
            Mitigations mitigations = new Mitigations(
                    directory,
                    new Mitigations.Parts(
                            defend.limits(),
                            defend.mode(),
                            enforcers,
                            planning.validator()::refusal,
                            blastRadius,
                            new Told(audit, maintenance, stopped, notes),
                            LedgerClock.SYSTEM));
            done = true;
            return new Defence(defend, mitigations, audit, notifiers, maintenance, planning, notes);
        } catch (IOException | IllegalArgumentException e) {
            String why = e.getMessage() == null ? e.toString() : e.getMessage();
            throw new ServiceException("defend: " + why + "; see " + directory, e);
        } finally {
            if (!done) {
                opened.forEach(Defence::letGo);
            }
        }
    }

    private static Maintenance.Window window(EnforcerSetting.Quiet one) {
        return new Maintenance.Window(
                one.name(), one.times(), notice -> one.filter().matches(new NoticeSubject(notice)));
    }

    private static void letGo(AutoCloseable one) {
        try {
            one.close();
        } catch (Exception e) {
            // There is a better reason why it does not start.
        }
    }

    private static Enforcer enforcer(EnforcerSetting one) throws IOException {
        String name = one.name();
        Duration timeout = one.timeout();
        return switch (one.kind()) {
            case EnforcerSetting.TransparentSecurity kind ->
                new TransparentSecurity(name, URI.create(kind.url()), kind.deltas(), timeout);
            case EnforcerSetting.FlowSpec kind ->
                new FlowSpec(
                        name,
                        new Peering(
                                kind.peer(),
                                kind.localAs(),
                                kind.peerAs(),
                                ByteBuffer.wrap(InetAddress.ofLiteral(kind.routerId())
                                                .getAddress())
                                        .getInt(),
                                kind.holdSeconds()));
            case EnforcerSetting.Webhook kind ->
                new Webhook(
                        name,
                        Destination.parse(kind.url(), kind.privateAllowed()),
                        Secret.read(kind.secretFile()),
                        timeout);
            case EnforcerSetting.Command kind -> new LocalCommand(name, kind.words(), timeout);
        };
    }

    /** Any thread; never waits. */
    void on(Event event) {
        if (!(event.details() instanceof Attack attack)) {
            return;
        }
        boolean open = event.endNanos() == Event.OPEN;
        if (open) {
            mitigations.evidence(event.id());
        }
        Plan plan = planning.plan(event);
        decisions.on(event, plan);
        for (io.pathlore.analysis.plan.Proposal one : plan.proposals()) {
            mitigations.propose(new Proposal(
                    one.attack(),
                    one.rule(),
                    one.enforcer(),
                    one.node(),
                    one.reason(),
                    one.perSecond(),
                    one.mayActAlone()));
        }
        if (open) {
            remember(event.id(), plan);
        }
        if (open && attack.windows() >= Attack.SUSTAINED) {
            doubt(event, plan);
        }
        if (open && !plan.refusals().isEmpty()) {
            notes.warn(
                    "defend-plan",
                    "attack " + event.id() + ": " + plan.refusals().getFirst());
        }
        tell(new Notice(
                "PathloreAttack",
                event.id().toString(),
                Notice.Stage.OBSERVED,
                "critical",
                attack.vector().label() + " on " + attack.victim(),
                event.startNanos(),
                open ? JsonLine.NO_TIME : event.endNanos()));
    }

    private synchronized void remember(EventId attack, Plan plan) {
        List<String> objections = plan.proposals().stream()
                .flatMap(one -> one.objections().stream())
                .distinct()
                .toList();
        planned.put(attack, new Planned(plan.refusals(), objections));
        if (planned.size() > PLANNED) {
            planned.pollFirstEntry();
        }
    }

    /** As it was planned last. */
    synchronized Planned planned(EventId attack) {
        return planned.getOrDefault(attack, Planned.NOTHING);
    }

    /** What was decided about an attack, the first decision first, as JSON. */
    List<String> decisions(EventId attack) {
        return decisions.json(attack::equals);
    }

    /** As configured, whatever the kill switch made of it. */
    Service.Defending settings() {
        return defend;
    }

    /** Somebody who lies makes attacks out of nothing: that nothing is done about one is no reason to say nothing. */
    private void doubt(Event event, Plan plan) {
        if (mitigations.view().mode() != Mode.AUTO) {
            return;
        }
        for (io.pathlore.analysis.plan.Proposal one : plan.proposals()) {
            if (!one.objections().isEmpty() && one.refusal().isEmpty()) {
                String text = "attack " + event.id() + " waits for an operator: "
                        + one.objections().getFirst();
                notes.warn("defend-doubt", "defend: " + text);
                tell(new Notice(
                        "PathloreDefence",
                        "doubt",
                        Notice.Stage.PROPOSED,
                        "critical",
                        text,
                        event.startNanos(),
                        JsonLine.NO_TIME));
                return;
            }
        }
    }

    /** An address that was only learned is that of whoever spoke first: nothing is proven by it, nor over. */
    @Override
    public void dropped(long node, long key, long count, boolean bound) {
        boolean believed = bound && planning.network().isBound(node);
        if (!believed && doubted.size() < DOUBTED && doubted.add(node)) {
            notes.warn(
                    "defend-drop-report",
                    "defend: a drop report of node " + node
                            + " is not believed: its addresses in inventory do not say that it comes from there");
        }
        mitigations.dropReport(node, key, count, believed);
    }

    /** Takes away a rule that only drop reports know of, by who serves the node it is at. */
    Answer removeOrphan(long key, Operator by) {
        for (Orphan orphan : mitigations.view().orphans()) {
            if (orphan.key() == key) {
                List<String> enforcers = planning.network().enforcers(orphan.node());
                return enforcers.isEmpty()
                        ? new Answer.Refused("no enforcer serves node " + orphan.node() + "; see defend.enforcers")
                        : mitigations.removeOrphan(key, enforcers.getFirst(), by);
            }
        }
        return new Answer.Unknown(HexFormat.of().toHexDigits(key));
    }

    private void tell(Notice notice) {
        maintenance.tell(notice);
    }

    public Mitigations mitigations() {
        return mitigations;
    }

    List<Notifier> notifiers() {
        return notifiers;
    }

    Maintenance maintenance() {
        return maintenance;
    }

    AuditLog audit() {
        return audit;
    }

    @Override
    public void close() {
        try {
            mitigations.close();
            audit.close();
        } catch (IOException e) {
            notes.error("defend: " + e.getMessage());
        }
        maintenance.close();
        notifiers.forEach(Notifier::close);
    }

    /** Writes down who did what, and tells people what they should know. In the ledger's thread. */
    private record Told(AuditLog audit, Maintenance notices, Stopped stopped, Notes notes) implements LedgerListener {
        @Override
        public void onAct(Operator by, String what, String why, @Nullable Mitigation about) {
            audit.append(new AuditLog.Act(
                    LedgerClock.SYSTEM.epochNanos(),
                    by.name(),
                    what,
                    why,
                    about == null ? "" : about.attack().toString(),
                    about == null ? "" : about.id(),
                    by.comment()));
            if (about != null) {
                tell(about);
            }
        }

        @Override
        public void onStopped(Mitigation about, long fromNanos, long untilNanos, long packets) {
            stopped.on(about, fromNanos, untilNanos, packets);
        }

        private void tell(Mitigation about) {
            Notice.Stage stage = about.sent()
                    ? Notice.Stage.APPLIED
                    : about.state() == State.OBSERVED ? Notice.Stage.OBSERVED : Notice.Stage.PROPOSED;
            Notice notice = new Notice(
                    "PathloreMitigation",
                    about.id(),
                    stage,
                    "warning",
                    about.state().label() + ", " + about.reason(),
                    about.createdNanos(),
                    about.state().isOver() ? LedgerClock.SYSTEM.epochNanos() : JsonLine.NO_TIME);
            notices.tell(notice);
        }

        @Override
        public void onAlert(Alert alert, String text, @Nullable Mitigation about) {
            notes.warn("defend-" + alert, "defend: " + text);
            Notice notice = new Notice(
                    "PathloreDefence",
                    alert.name().toLowerCase(Locale.ROOT),
                    about != null && about.sent() ? Notice.Stage.APPLIED : Notice.Stage.OBSERVED,
                    "critical",
                    text,
                    LedgerClock.SYSTEM.epochNanos(),
                    JsonLine.NO_TIME);
            notices.tell(notice);
        }
    }
}
