package io.pathlore.ingest.udp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/** Sends many datagrams as one that the kernel is to take apart [udp(7), UDP_SEGMENT]. */
final class SegmentSender {
    private static final int UDP_SEGMENT = 103;

    private SegmentSender() {}

    @SuppressWarnings("restricted")
    static void send(InetAddress to, int port, byte[] joined, int segmentBytes) throws IOException {
        Linker linker = Linker.nativeLinker();
        MethodHandle sendto = linker.downcallHandle(
                linker.defaultLookup().find("sendto").orElseThrow(),
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
        LinuxCalls calls = Objects.requireNonNull(LinuxCalls.instance());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = LinuxCalls.errorRoom(arena);
            int descriptor = calls.socket(error, LinuxCalls.AF_INET);
            int option = calls.setOption(
                    error, descriptor, LinuxCalls.SOL_UDP, UDP_SEGMENT, arena.allocateFrom(JAVA_INT, segmentBytes));
            MemorySegment address = arena.allocate(16, 8);
            ByteBuffer raw = address.asByteBuffer();
            raw.order(ByteOrder.nativeOrder()).putShort(0, (short) LinuxCalls.AF_INET);
            raw.order(ByteOrder.BIG_ENDIAN).putShort(2, (short) port);
            raw.put(4, to.getAddress());
            MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, joined);
            long sent = (long) sendto.invokeExact(descriptor, bytes, (long) joined.length, 0, address, 16);
            calls.close(error, descriptor);
            if (option < 0 || sent != joined.length) {
                throw new IOException("sent " + sent + " of " + joined.length + ", option " + option);
            }
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
