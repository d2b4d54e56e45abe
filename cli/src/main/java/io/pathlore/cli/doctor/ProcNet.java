package io.pathlore.cli.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Who has a port, as Linux tells it [proc(5)]: the table of sockets has an inode, and a process has it open. */
final class ProcNet {
    private static final int LOCAL = 1;
    private static final int STATE = 3;
    private static final int UID = 7;
    private static final int INODE = 9;
    private static final String LISTENING = "0A";

    private final Path proc;

    ProcNet(Path proc) {
        this.proc = proc;
    }

    /** {@code nc (process 4242)}; null where nothing can be told. */
    @Nullable
    String ownerOfUdp(int port) {
        return owner(List.of("udp", "udp6"), port, false);
    }

    @Nullable
    String ownerOfTcp(int port) {
        return owner(List.of("tcp", "tcp6"), port, true);
    }

    private @Nullable String owner(List<String> tables, int port, boolean listening) {
        Set<String> links = new HashSet<>();
        Set<String> users = new TreeSet<>();
        for (String table : tables) {
            for (String line : lines(proc.resolve("net").resolve(table))) {
                String[] fields = line.strip().split("\\s+", -1);
                if (fields.length > INODE
                        && isPort(fields[LOCAL], port)
                        && (!listening || fields[STATE].equals(LISTENING))) {
                    links.add("socket:[" + fields[INODE] + "]");
                    users.add(fields[UID]);
                }
            }
        }
        if (links.isEmpty()) {
            return null;
        }
        List<String> processes = processes(links);
        return processes.isEmpty()
                ? "a process of user " + String.join(", ", users) + " that is not shown to this one"
                : String.join(", ", processes);
    }

    private static boolean isPort(String address, int port) {
        int colon = address.indexOf(':');
        try {
            return colon > 0 && Integer.parseInt(address.substring(colon + 1), 16) == port;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private List<String> processes(Set<String> links) {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : all) {
                if (hasOpen(process, links)) {
                    String name =
                            lines(process.resolve("comm")).stream().findFirst().orElse("?");
                    found.add(name + " (process " + process.getFileName() + ")");
                }
            }
        } catch (IOException e) {
            return found;
        }
        return found;
    }

    private static boolean hasOpen(Path process, Set<String> links) {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : open) {
                if (links.contains(Files.readSymbolicLink(descriptor).toString())) {
                    return true;
                }
            }
            return false;
        } catch (IOException | DirectoryIteratorException e) {
            return false; // not ours to see, or gone meanwhile
        }
    }

    /** Of net.core.rmem_max; null where there is no such thing. */
    @Nullable
    Long largestReceiveBuffer() {
        // In one read: what the kernel makes up here it does not go on with.
        byte[] text = new byte[32];
        try (InputStream in = Files.newInputStream(proc.resolve("sys/net/core/rmem_max"))) {
            int length = in.read(text);
            return Long.valueOf(new String(text, 0, Math.max(0, length), StandardCharsets.US_ASCII).strip());
        } catch (IOException | NumberFormatException e) {
            return null;
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }
}
