package io.pathlore.dataplane.traffic;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.topology.Topology.Host;

/**
 * A packet there and a packet back, again and again: a sensor that reports and is acknowledged, or a ping. Hot path.
 */
final class Exchange extends Stage.Timer implements Stage.Receiver {
    /**
     * What is exchanged.
     *
     * @param echo ICMP, else UDP
     * @param replyBytes payload of the answer; an echo has the payload of its request
     */
    record Form(boolean echo, int requestBytes, int replyBytes, long periodNanos, int port, boolean jitter) {}

    private static final int ECHO_HEADER = 8;

    private final Stage stage;
    private final PacketWriter writer;
    private final Form form;
    private final Dice dice;
    private final int asker;
    private final int answerer;
    private final Endpoints forward = new Endpoints();
    private final Endpoints backward = new Endpoints();
    private final long tag;
    private long periodAt;
    private long until;
    private int askerFlow;
    private int answererFlow;
    private int sequence;

    Exchange(Stage stage, Conditions conditions, Form form, int asker, int answerer, int port, Dice dice) {
        this.stage = stage;
        this.form = form;
        this.dice = dice;
        this.asker = asker;
        this.answerer = answerer;
        writer = conditions.writer();
        Host from = stage.topology().hosts().get(asker);
        Host to = stage.topology().hosts().get(answerer);
        boolean v6 = conditions.ip().v6(dice);
        forward.between(from, to, v6, port, form.port, conditions.trafficClass())
                .numbered(dice);
        backward.between(to, from, v6, form.port, port, conditions.trafficClass())
                .numbered(dice);
        tag = dice.nextLong() << 32;
    }

    /** The first one some time in the first period, so that not all beat together. */
    void begin(long fromNanos, long untilNanos) {
        until = untilNanos;
        periodAt = fromNanos + dice.below(form.periodNanos);
        if (periodAt < until) {
            askerFlow = stage.flow(this);
            answererFlow = stage.flow(Stage.Receiver.NOBODY);
            stage.start(this, periodAt);
        }
    }

    @Override
    protected void fire(long nowNanos) {
        if (nowNanos >= until) {
            stage.end(askerFlow);
            stage.end(answererFlow);
            return;
        }
        Packet packet = stage.packet();
        long stamp = tag | sequence & 0xFFFF_FFFFL;
        if (form.echo) {
            writer.echo(packet, forward, true, forward.sourcePort, sequence, form.requestBytes, stamp);
        } else {
            writer.udp(packet, forward, form.requestBytes, stamp);
        }
        sequence++;
        stage.send(asker, answerer, askerFlow, packet);
        periodAt += form.periodNanos;
        stage.start(this, form.jitter ? periodAt + dice.below(form.periodNanos / 10 + 1) : periodAt);
    }

    @Override
    public void onArrival(Packet packet, long nowNanos) {
        int l4 = packet.start() + writer.l4Offset(forward.v6);
        if (nowNanos >= until || packet.end() - l4 < ECHO_HEADER) {
            return;
        }
        Packet reply = stage.packet();
        if (form.echo) {
            int number = packet.buffer().getShort(l4 + 6) & 0xFFFF;
            writer.echo(reply, backward, false, forward.sourcePort, number, form.requestBytes, tag | number);
        } else {
            writer.udp(reply, backward, form.replyBytes, tag | backward.nextId & 0xFFFF_FFFFL);
        }
        stage.send(answerer, asker, answererFlow, reply);
    }
}
