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
 * then too big to become part of them, and what they share is loaded twice.
 */
final class ViewsReader implements Reader {
    private static final int DIALECT_HEADER = 24;
    private static final int ETHERNET = 14;
    private static final int IPV4 = 20;
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
    private int ports;

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
        for (int at = oldestHop; at >= newestHop; at -= hopBytes) {
            hop.moveTo(at);
            if (!columns.hop(hop)) {
                return Fault.INT_CHAIN_TOO_LONG;
            }
        }
        columns.end((int) (addresses >>> 32), (int) addresses, ports, protocol);
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
        if (end - ip < IPV4 || buffer.getShort(from + 12) != 0x0800) {
            return Fault.PKT_TRUNCATED_L2;
        }
        int versionAndLength = buffer.get(ip);
        if (versionAndLength >> 4 != 4) {
            return Fault.PKT_IP_VERSION_MISMATCH;
        }
        int l4 = ip + 4 * (versionAndLength & 0xF);
        if (end - l4 < UDP) {
            return Fault.PKT_TRUNCATED_L3;
        }
        protocol = buffer.get(ip + 9) & 0xFF;
        addresses = buffer.getLong(ip + 12);
        if (protocol == 17 && buffer.getShort(l4 + 2) == INT_PORT) {
            return stack(buffer, l4 + UDP, end);
        }
        ports = buffer.getInt(l4);
        newestHop = end;
        oldestHop = from;
        return Fault.NONE;
    }

    private Fault stack(ByteBuffer buffer, int from, int end) {
        int header = from + IntShim.LENGTH;
        int stack = header + IntHeader.LENGTH_V2;
        if (stack > end) {
            return Fault.INT_HEADER_TRUNCATED;
        }
        int shim = buffer.getInt(from);
        long first = buffer.getLong(header);
        if (first >>> 60 != 2) {
            return Fault.INT_UNKNOWN_VERSION;
        }
        int stackBytes = 4 * IntShim.length(shim) - IntHeader.LENGTH_V2;
        int sourceOnly = 0;
        if (((int) first & 0xFFFF) == Domains.TRANSPARENT_SECURITY) {
            // The dialect counts the shim, and its source adds the address of the device.
            sourceOnly = DEVICE;
            stackBytes -= IntShim.LENGTH + DEVICE;
        }
        hopLayout.int2((int) first >>> 16, 2, 2, 0);
        hopBytes = 4 * (int) (first >>> 40 & 0x1F);
        int next = stack + stackBytes + sourceOnly;
        if (hopBytes == 0 || stackBytes < 0 || end - next < UDP || hopLayout.length() > hopBytes) {
            return Fault.INT_HOP_ML_MISMATCH;
        }
        newestHop = stack;
        oldestHop = stack + stackBytes - hopBytes;
        protocol = IntShim.lastByte(shim);
        ports = buffer.getInt(next);
        return Fault.NONE;
    }
}
