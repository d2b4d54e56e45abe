package io.pathlore.bench.replay;

import io.pathlore.dataplane.live.BatchSender;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** What {@code replay send} is to C, in a process of its own; speaks the same way. */
final class Worker {
    private Worker() {}

    static void main(String[] arguments) throws IOException {
        var technique = BatchSender.Technique.valueOf(arguments[0].toUpperCase(Locale.ROOT));
        var to = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[1]));
        ByteBuffer datagram = ByteBuffer.allocate(Integer.parseInt(arguments[2]));
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        var out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
        try (BatchSender sender = BatchSender.open(null, to, technique)) {
            if (sender.technique() != technique) {
                throw new IOException("cannot send by " + technique + " here");
            }
            out.println("ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                long wanted = Long.parseLong(line.substring(line.indexOf(' ') + 1));
                long start = System.nanoTime();
                for (long i = 0; i < wanted; i++) {
                    sender.add(datagram, 0, datagram.capacity());
                }
                sender.flush();
                out.println(System.nanoTime() - start);
            }
        }
    }
}
