package io.pathlore.ingest.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Ledger.Term;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.decode.ReportView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A collector's front on the loopback, run by hand, with everything it says kept. */
final class Rig implements AutoCloseable {
    static final InetAddress V4 = InetAddress.ofLiteral("127.0.0.1");
    static final InetAddress V6 = InetAddress.ofLiteral("::1");
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    final Ledger ledger = new Ledger(true);
    final Ledger.Worker worker = ledger.addWorker();
    final List<String> reports = new ArrayList<>();
    final List<String> datagrams = new ArrayList<>();
    final List<String> warnings = new ArrayList<>();
    final ExporterTable exporters;
    final Admission admission;
    final NodeBinding binding;
    final UdpSockets sockets;
    final ReceiveLoop loop;
    long sent;
    private final DatagramChannel sender;

    /** What a rig is made with; the rest is as in production. */
    record Settings(
            Listen listen, List<String> allow, long rate, NodeBinding.Mode mode, boolean portable, boolean keep) {
        static Settings plain() {
            return new Settings(
                    Listen.on(List.of(V4), List.of(0), 1 << 20),
                    List.of("private"),
                    0,
                    NodeBinding.Mode.LEARN,
                    false,
                    true);
        }

        Settings on(Listen listen) {
            return new Settings(listen, allow, rate, mode, portable, keep);
        }

        Settings allowing(String... entries) {
            return new Settings(listen, List.of(entries), rate, mode, portable, keep);
        }

        Settings atRate(long rate) {
            return new Settings(listen, allow, rate, mode, portable, keep);
        }

        Settings binding(NodeBinding.Mode mode) {
            return new Settings(listen, allow, rate, mode, portable, keep);
        }

        Settings portable(boolean portable) {
            return new Settings(listen, allow, rate, mode, portable, keep);
        }

        Settings keepingNothing() {
            return new Settings(listen, allow, rate, mode, portable, false);
        }
    }

    Rig(Settings settings) throws IOException {
        Listen listen = settings.listen();
        sockets = (settings.portable() ? listen.openPortable(warnings::add) : listen.open(warnings::add)).getFirst();
        exporters = new ExporterTable(64, settings.rate(), ExporterTable.Profiles.AUTO, 1);
        admission = new Admission(listen.largestDatagram(), AllowList.of(settings.allow()), exporters, worker, 1);
        binding = new NodeBinding(settings.mode(), 1_000, Map.of(), 1);
        boolean keep = settings.keep();
        ReportConsumer consumer = new ReportConsumer() {
            @Override
            public void onReport(ReportView report, DatagramBatch batch, int index) {
                worker.count(Term.ANALYSED);
                if (keep) {
                    reports.add(source(batch, index) + " node " + report.nodeId() + " seq " + report.sequence());
                }
            }
        };
        Journalling journal = (batch, index) -> {
            worker.count(Term.JOURNALLED);
            if (keep) {
                datagrams.add(source(batch, index) + " " + batch.length(index)
                        + ((batch.flags(index) & DatagramBatch.UNBOUND) != 0 ? " unbound" : ""));
            }
        };
        var decoding = new Decoding(DecodeOptions.lenient(), exporters, binding, consumer, journal, worker);
        loop = new ReceiveLoop(sockets, admission, decoding, ledger, worker);
        sender = DatagramChannel.open();
    }

    static String source(DatagramBatch batch, int index) {
        return io.pathlore.model.IpText.of(batch.v6(index), batch.sourceHi(index), batch.sourceLo(index));
    }

    int port() {
        return sockets.socket(0).port();
    }

    void send(byte[] bytes) throws IOException {
        send(sender, sockets.socket(0).address(), bytes);
    }

    void send(DatagramChannel from, InetAddress to, byte[] bytes) throws IOException {
        from.send(ByteBuffer.wrap(bytes), new InetSocketAddress(to, port()));
        sent++;
    }

    static DatagramChannel from(String address) throws IOException {
        return DatagramChannel.open().bind(new InetSocketAddress(InetAddress.ofLiteral(address), 0));
    }

    /** Until all that was sent was read or is known to be dropped. The loopback delivers, but maybe not at once. */
    Ledger.Snapshot readAll() throws IOException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            loop.turn(1);
            sockets.readKernelDrops();
            Ledger.Snapshot now = ledger.snapshot();
            if (now.read(Term.DATAGRAMS_READ) + now.kernelDropped() >= sent || System.nanoTime() > deadline) {
                assertThat(now.read(Term.DATAGRAMS_READ) + now.kernelDropped()).isEqualTo(sent);
                assertThat(now.check()).isEmpty();
                return now;
            }
        }
    }

    @Override
    public void close() throws IOException {
        sender.close();
        sockets.close();
    }
}
