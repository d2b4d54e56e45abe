package io.pathlore.bench.decode;

import io.pathlore.model.Fault;
import io.pathlore.wire.Domains;
import io.pathlore.wire.inband.HopLayout;
import io.pathlore.wire.inband.HopView;
import io.pathlore.wire.inband.IntHeader;
import io.pathlore.wire.inband.IntShim;
import io.pathlore.wire.tr20.GroupHeader;
import io.pathlore.wire.tr20.IndividualReport;
import java.nio.ByteBuffer;

/**
 * The public views alone, for reports whose layout is known: one report in a datagram, around Ethernet, IPv4, UDP and
 * INT-MD. The same work and the same tests as in {@code decode.c}.
 *
 * <p>Hot path. The one loop is in the method everything starts from: a method with a loop is compiled before its callers and
 * then too big to become part of them, and what they share is loaded twice. Headers are read by eight octets, because reads
 * of one width share their bounds checks.
 */
final class ViewsReader implements Reader {
    private static final int DIALECT_HEADER = 24;
    private static final int ETHERNET = 14;
    private static final int IPV4 = 20;
    private static final int IPV4_TYPE_AND_VERSION = 0x0800_4;
    private static final int UDP = 8;
    private static final int INT_PORT = 555;
    private static final int DEVICE = 8;

    private final Columns columns;
    private final GroupHeader group = new GroupHeader();
    private final IndividualReport report = new IndividualReport();
    private final HopLayout ownLayout = new HopLayout();
    private final HopView own = new HopView();
    private final HopLayout hopLayout = new HopLayout();
    private final HopView hop = new HopView();

    // Where the hops are, newest first, and what stands around them.
    private int newestHop;
    private int oldestHop;
    private int hopBytes;
    private long addresses;
    private int protocol;
    private int portsAt;

    ViewsReader(Columns columns) {
        this.columns = columns;
    }

    @Override
    public Fault read(ByteBuffer buffer, int from, int end) {
        Fault fault = group.wrap(buffer, from, end);
        if (fault != Fault.NONE) {
            return fault;
        }
        fault = report.wrap(buffer, from + GroupHeader.LENGTH, end);
        if (fault != Fault.NONE) {
            return fault;
        }
        fault = report.repType() == IndividualReport.TYPE_INT ? conformant(buffer) : dialect(buffer, from, end);
        if (fault != Fault.NONE) {
            return fault;
        }
        hop.wrap(buffer, oldestHop, hopLayout);
        int newest = newestHop;
        int bytes = hopBytes;
        for (int at = oldestHop; at >= newest; at -= bytes) {
            hop.moveTo(at);
            if (!columns.hop(hop)) {
                return Fault.INT_CHAIN_TOO_LONG;
            }
        }
        columns.end((int) (addresses >>> 32), (int) addresses, buffer.getInt(portsAt), protocol);
        return Fault.NONE;
    }

    private Fault conformant(ByteBuffer buffer) {
        ownLayout.report20(report.repMdBits(), 0);
        int inner = report.innerOffset();
        if (report.metadataOffset() + ownLayout.length() > inner || report.inType() != IndividualReport.IN_ETHERNET) {
            return Fault.TR20_MD_LENGTH_MISMATCH;
        }
        own.wrap(buffer, report.metadataOffset(), ownLayout);
        columns.begin(group.hwId() << 22 | group.sequence(), (int) group.nodeId(), report.flags());
        columns.own(own);
        return packet(buffer, inner, report.end());
    }

    private Fault dialect(ByteBuffer buffer, int from, int end) {
        int inner = from + DIALECT_HEADER;
        if (report.repType() != IndividualReport.TYPE_INNER_ONLY || inner > end) {
            return Fault.TR20_RESERVED_REPTYPE;
        }
        // The profile counts in the upper 16 of 22 bits.
        columns.begin(group.hwId() << 22 | group.sequence() >>> 6, (int) group.nodeId(), report.flags());
        columns.nothingOwn();
        return packet(buffer, inner, end);
    }

    private Fault packet(ByteBuffer buffer, int from, int end) {
        int ip = from + ETHERNET;
        if (end - ip < IPV4) {
            return Fault.PKT_TRUNCATED_L2;
        }
        long typeAndIp = buffer.getLong(from + 12);
        if (typeAndIp >>> 44 != IPV4_TYPE_AND_VERSION) {
            return Fault.PKT_IP_VERSION_MISMATCH;
        }
        int l4 = ip + ((int) (typeAndIp >>> 38) & 0x3C);
        if (end - l4 < UDP) {
            return Fault.PKT_TRUNCATED_L3;
        }
        protocol = (int) (buffer.getLong(ip + 4) >>> 16) & 0xFF;
        addresses = buffer.getLong(ip + 12);
        if (protocol == 17 && (buffer.getLong(l4) >>> 32 & 0xFFFF) == INT_PORT) {
            return stack(buffer, l4 + UDP, end);
        }
        portsAt = l4;
        newestHop = end;
        oldestHop = from;
        return Fault.NONE;
    }

    private Fault stack(ByteBuffer buffer, int from, int end) {
        int stack = from + IntShim.LENGTH + IntHeader.LENGTH_V2;
        if (stack > end) {
            return Fault.INT_HEADER_TRUNCATED;
        }
        long shimAndHeader = buffer.getLong(from);
        long rest = buffer.getLong(from + 8);
        int header = (int) shimAndHeader;
        if (header >>> 28 != 2) {
            return Fault.INT_UNKNOWN_VERSION;
        }
        int shim = (int) (shimAndHeader >>> 32);
        int stackBytes = 4 * IntShim.length(shim) - IntHeader.LENGTH_V2;
        int sourceOnly = 0;
        if (((int) (rest >>> 32) & 0xFFFF) == Domains.TRANSPARENT_SECURITY) {
            // The dialect counts the shim, and its source adds the address of the device.
            sourceOnly = DEVICE;
            stackBytes -= IntShim.LENGTH + DEVICE;
        }
        hopLayout.int2((int) (rest >>> 48), 2, 2, 0);
        hopBytes = 4 * (header >>> 8 & 0x1F);
        int next = stack + stackBytes + sourceOnly;
        if (hopBytes == 0 || stackBytes < 0 || end - next < UDP || hopLayout.length() > hopBytes) {
            return Fault.INT_HOP_ML_MISMATCH;
        }
        newestHop = stack;
        oldestHop = stack + stackBytes - hopBytes;
        protocol = IntShim.lastByte(shim);
        portsAt = next;
        return Fault.NONE;
    }
}
