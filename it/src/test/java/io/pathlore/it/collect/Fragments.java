package io.pathlore.it.collect;

import io.pathlore.it.collect.RunningCollector.Setup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Sends long reports to a collector of its own; where frames are short, the kernel cuts them up and puts them together. */
final class Fragments {
    /** Of a jumbo frame, and about as long as can be: reports, and what is in front of them. */
    private static final List<Integer> REPORTS = List.of(100, 700);

    private static final int EACH = 40;

    private Fragments() {}

    public static void main(String[] arguments) throws IOException {
        int sent = 0;
        long octets = 0;
        try (RunningCollector collector =
                        Setup.in(Path.of(arguments[0])).small().start();
                Sender sender = Sender.from("127.0.0.1")) {
            for (int reports : REPORTS) {
                for (int i = 0; i < EACH; i++) {
                    byte[] datagram = ReportBytes.v20(1, sent, 1, sent, reports, i, 0);
                    sender.send(collector.port(), datagram);
                    sent++;
                    octets += datagram.length;
                    collector.untilRead(sent);
                }
            }
            Reading ledger = collector.atRest(sent);
            long reports = EACH * REPORTS.stream().mapToLong(Integer::longValue).sum();
            boolean right = ledger.get("kernelDropped") == 0
                    && ledger.get("bytesRead") == octets
                    && ledger.get("reportsDecoded") == reports;
            System.out.println(right ? "all accounted for" : "wrong: " + ledger);
            if (!right) {
                System.exit(1);
            }
        }
    }
}
