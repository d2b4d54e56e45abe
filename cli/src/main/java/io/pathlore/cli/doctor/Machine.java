package io.pathlore.cli.doctor;

import io.pathlore.cli.client.Amount;
import io.pathlore.cli.config.Service;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What this machine shows where no collector answers: would one start here, or does one run that was not asked? */
public final class Machine {
    private static final String UDP_PORT = "udp port";
    private static final String HTTP_PORT = "http port";
    private static final String DATA = "data";
    private static final String JOURNAL = "journal";
    private static final String BUFFER = "buffer";

    private final ProcNet proc;

    /** With the directory that Linux calls {@code /proc}; elsewhere there is none, and less can be told. */
    public Machine(Path proc) {
        this.proc = new ProcNet(proc);
    }

    /**
     * Would a collector of this configuration start?
     *
     * @param httpPort where one was asked for
     */
    public List<Stage> look(Service service, int httpPort) {
        List<Stage> stages = new ArrayList<>();
        for (int port : service.listen().ports()) {
            stages.add(udpPort(service.listen().addresses(), port));
        }
        stages.add(httpPort(service.http().address(), httpPort));
        stages.add(data(service));
        if (service.journal().enabled()) {
            stages.add(journal(service.journalDirectory()));
        }
        Stage buffer = buffer(service.listen().receiveBufferBytes());
        if (buffer != null) {
            stages.add(buffer);
        }
        return stages;
    }

    private Stage udpPort(List<InetAddress> addresses, int port) {
        List<Trouble> warnings = new ArrayList<>();
        for (InetAddress address : addresses) {
            boolean six = address instanceof Inet6Address;
            try (DatagramChannel channel =
                    DatagramChannel.open(six ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET)) {
                channel.bind(new InetSocketAddress(address, port));
            } catch (UnsupportedOperationException e) {
                warnings.add(missing(address));
            } catch (IOException e) {
                if (!inUse(e) && addresses.size() > 1 && everyMachineHas(address)) {
                    warnings.add(missing(address));
                } else {
                    return Stage.red(UDP_PORT, cannotBind(e, address, port), List.of());
                }
            }
        }
        return Stage.green(UDP_PORT, port + " is free", warnings);
    }

    /** Where its family is there: so if it cannot be opened, that is not. */
    private static boolean everyMachineHas(InetAddress address) {
        return address instanceof Inet6Address && (address.isAnyLocalAddress() || address.isLoopbackAddress());
    }

    /** The collector skips a family that the machine lacks, with a warning, and listens on the rest. */
    private static Trouble missing(InetAddress address) {
        String family = address instanceof Inet6Address ? "IPv6" : "IPv4";
        return new Trouble(
                Reason.FAMILY_MISSING,
                "this machine has no " + family + ": listen.addresses " + address.getHostAddress() + " is left out",
                "reports over " + family
                        + " cannot arrive; switch it on (sysctl net.ipv6.conf.all.disable_ipv6=0), or set"
                        + " listen.addresses without it");
    }

    private Trouble cannotBind(IOException e, InetAddress address, int port) {
        if (inUse(e)) {
            String owner = proc.ownerOfUdp(port);
            return new Trouble(
                    Reason.PORT_BUSY,
                    "UDP port " + port + " is taken" + by(owner, "ss -ulpn 'sport = :" + port + "'"),
                    "if that is the collector, say where its HTTP is: --server URL, or --config FILE",
                    "else stop it, or let the collector listen elsewhere: listen.ports");
        }
        boolean low = port < 1_024;
        return new Trouble(
                Reason.PORT_NOT_BINDABLE,
                "UDP port " + port + " on " + address.getHostAddress() + " cannot be opened: " + e.getMessage(),
                low
                        ? "ports under 1024 need the capability CAP_NET_BIND_SERVICE, or set listen.ports"
                        : "set listen.addresses to addresses of this machine; 'ip address' lists them");
    }

    private static boolean inUse(IOException e) {
        return e instanceof BindException && String.valueOf(e.getMessage()).contains("in use");
    }

    private static String by(@Nullable String owner, String command) {
        return owner == null ? "; who has it is told by: " + command : " by " + owner;
    }

    private Stage httpPort(InetAddress address, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true); // as the collector does, or connections that just ended would seem to hold it
            socket.bind(new InetSocketAddress(address, port));
            return Stage.green(HTTP_PORT, port + " is free", List.of());
        } catch (IOException e) {
            if (!inUse(e)) {
                return Stage.red(
                        HTTP_PORT,
                        new Trouble(
                                Reason.PORT_NOT_BINDABLE,
                                "TCP port " + port + " on " + address.getHostAddress() + " cannot be opened: "
                                        + e.getMessage(),
                                "set http.address and http.port to what this machine has and this user may open"),
                        List.of());
            }
            String owner = proc.ownerOfTcp(port);
            return Stage.red(
                    HTTP_PORT,
                    new Trouble(
                            Reason.HTTP_PORT_BUSY,
                            "TCP port " + port + " is taken" + by(owner, "ss -ltnp 'sport = :" + port + "'"),
                            "stop it, or give the collector another one: http.port"),
                    List.of());
        }
    }

    private static Stage data(Service service) {
        Path data = service.data();
        Path there = data;
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        if (readOnly(there)) {
            return Stage.red(
                    DATA,
                    new Trouble(
                            Reason.DATA_NOT_WRITABLE,
                            there + " is on a file system that is mounted read-only",
                            "mount it for writing (mount -o remount,rw), or set data to a directory elsewhere"),
                    List.of());
        }
        if (!Files.isDirectory(there) || !Files.isWritable(there)) {
            return Stage.red(
                    DATA,
                    new Trouble(
                            Reason.DATA_NOT_WRITABLE,
                            there + (Files.isDirectory(there) ? " cannot be written by this user" : " is no directory"),
                            "give it to the user that the collector runs as (chown), or set data to another directory"),
                    List.of());
        }
        List<Trouble> warnings = new ArrayList<>();
        try {
            long left = Files.getFileStore(there).getUsableSpace();
            if (service.journal().enabled() && left < service.journal().segmentBytes()) {
                warnings.add(new Trouble(
                        Reason.DISK_LOW,
                        "only " + Amount.bytes(left) + " are left, less than one segment of the journal ("
                                + Amount.bytes(service.journal().segmentBytes()) + ")",
                        "df -h " + there,
                        "make room, or keep less: journal.keep-bytes, journal.keep"));
            }
        } catch (IOException e) {
            // Not every file system tells; a full one is noticed by the collector.
        }
        String made = there.equals(data) ? "" : ", which the collector will make";
        return Stage.green(DATA, data + made, warnings);
    }

    private static boolean readOnly(Path there) {
        try {
            return Files.getFileStore(there).isReadOnly();
        } catch (IOException e) {
            return false; // then whether it can be written tells
        }
    }

    /** Asks for a lock beside the writer's, which it is denied while there is one; it changes nothing in the file. */
    private static Stage journal(Path directory) {
        try (FileChannel file = FileChannel.open(directory.resolve("lock"), StandardOpenOption.READ);
                FileLock lock = file.tryLock(0, Long.MAX_VALUE, true)) {
            return lock == null
                    ? locked(directory)
                    : Stage.green(JOURNAL, directory + " is written by nobody", List.of());
        } catch (NoSuchFileException e) {
            return Stage.green(JOURNAL, "none yet in " + directory, List.of());
        } catch (OverlappingFileLockException e) {
            return locked(directory); // by this very process
        } catch (IOException e) {
            return Stage.red(
                    JOURNAL,
                    new Trouble(
                            Reason.DATA_NOT_WRITABLE,
                            directory + " cannot be read by this user: " + e.getMessage(),
                            "do this as the user that the collector runs as"),
                    List.of());
        }
    }

    private static Stage locked(Path directory) {
        String owner;
        try {
            String pid = Files.readString(directory.resolve("lock")).strip();
            owner = pid.matches("[0-9]+") ? "process " + pid : "another process";
        } catch (IOException e) {
            owner = "another process";
        }
        return Stage.red(
                JOURNAL,
                new Trouble(
                        Reason.JOURNAL_LOCKED,
                        directory + " is written by " + owner + ": a collector runs",
                        "say where its HTTP is: --server URL, or --config FILE with what it was started with"),
                List.of());
    }

    private @Nullable Stage buffer(int wanted) {
        Long most = proc.largestReceiveBuffer();
        if (most == null) {
            return null;
        }
        List<Trouble> warnings = most >= wanted
                ? List.of()
                : List.of(new Trouble(
                        Reason.RECEIVE_BUFFER_CAPPED,
                        "a socket gets " + Amount.bytes(most) + " of the " + Amount.bytes(wanted)
                                + " of listen.receive-buffer: bursts may be lost in the kernel",
                        "sysctl -w net.core.rmem_max=" + wanted + "   (to keep it: a file in /etc/sysctl.d)"));
        return Stage.green(BUFFER, "net.core.rmem_max is " + Amount.bytes(most), warnings);
    }
}
