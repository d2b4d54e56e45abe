package io.pathlore.wire.tree;

import io.pathlore.wire.net.Layer;
import io.pathlore.wire.net.PacketView;

/** The layers of a packet, outermost first, with the telemetry where it stands and what is left behind the last header. */
final class PacketTree {
    private PacketTree() {}

    static void add(PacketView packet, Fields into, int origin) {
        Fields all = new Fields(packet.buffer(), origin, packet.start(), packet.end());
        Layers.Telemetry telemetry = telemetry(packet, all);
        int seenInts = 0;
        int end = packet.start();
        for (int i = 0; i < packet.layers(); i++) {
            Layer layer = packet.layer(i);
            TreeNode node;
            if (layer == Layer.INT) {
                node = IntTree.of(packet.intHeader(seenInts++), all);
            } else {
                int at = packet.layerOffset(i);
                node = Layers.tree(layer, all.at(at, intInside(packet, i)), telemetry);
            }
            into.add(node);
            end = Math.max(end, origin + node.end());
        }
        end = Math.min(end, packet.end());
        Layer cutAt = packet.cutAt();
        if (cutAt != null) {
            // A header that is cut is no layer of the packet any more; what is left of it can still be read.
            if (cutAt != Layer.INT && end < packet.end()) {
                TreeNode part = Layers.tree(cutAt, all.at(end), telemetry);
                into.add(part);
                end = origin + part.end();
            }
            into.note("Cut", "inside " + cutAt.label(), packet.end());
        }
        if (end < packet.end()) {
            Fields rest = all.at(end);
            int length = packet.end() - end;
            rest.bytes("Data", 0, length);
            into.add(rest.branch("Payload", length + (length == 1 ? " byte" : " bytes"), end, length));
        }
    }

    /** A TCP header ends where INT starts, although its data offset may go on behind it. */
    private static int intInside(PacketView packet, int layer) {
        boolean next = layer + 1 < packet.layers() && packet.layer(layer + 1) == Layer.INT;
        return next && packet.layer(layer) == Layer.TCP ? packet.layerOffset(layer + 1) : packet.end();
    }

    private static Layers.Telemetry telemetry(PacketView packet, Fields all) {
        return new Layers.Telemetry() {
            @Override
            public void addIoam(Fields into, int index) {
                for (int i = 0; i < packet.ioams(); i++) {
                    if (packet.ioam(i).offset() == index) {
                        into.add(IoamTree.of(packet.ioam(i), all));
                    }
                }
            }

            @Override
            public boolean isInt(int index) {
                for (int i = 0; i < packet.ints(); i++) {
                    if (packet.intHeader(i).headerOffset() == index) {
                        return true;
                    }
                }
                return false;
            }
        };
    }
}
