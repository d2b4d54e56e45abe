package io.pathlore.dataplane.live;

import io.pathlore.dataplane.scenario.AttackTable;
import io.pathlore.model.Prefix;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One call to the controller, understood as the reference does, with its oddities: {@code ip_ver} has to be the number 4 for an address to be
 * IPv4; without one, the entry is made but not remembered under a key; of a {@code dropKey} the first 16 digits count.
 */
sealed interface AttackCall {
    void on(AttackTable table);

    record Install(long mac, Prefix destination, int port, boolean remembered) implements AttackCall {
        @Override
        public void on(AttackTable table) {
            table.install(mac, destination, port, remembered);
        }
    }

    record Remove(long mac, Prefix destination, int port) implements AttackCall {
        @Override
        public void on(AttackTable table) {
            table.remove(mac, destination, port);
        }
    }

    record RemoveKey(long key) implements AttackCall {
        @Override
        public void on(AttackTable table) {
            table.remove(key);
        }
    }

    int KEY_DIGITS = 16;
    int LARGEST_PORT = 65_535;

    /** What the event asks for; null where it asks for nothing that can be done. */
    static @Nullable AttackCall of(boolean install, Map<String, Object> event) {
        if (!install && event.get("dropKey") instanceof String key) {
            return key(key);
        }
        if (!(event.get("src_mac") instanceof String mac)
                || !(event.get("dst_ip") instanceof String address)
                || !(event.get("dst_port") instanceof Long port)
                || port < 0
                || port > LARGEST_PORT) {
            return null;
        }
        Long device = mac(mac);
        Object version = event.get("ip_ver");
        Prefix destination = destination(address);
        if (device == null || destination == null) {
            return null;
        }
        boolean fits = version == null || destination.v6() != Long.valueOf(4).equals(version);
        if (!fits) {
            return null;
        }
        return install
                ? new Install(device, destination, port.intValue(), version != null)
                : new Remove(device, destination, port.intValue());
    }

    private static @Nullable AttackCall key(String text) {
        try {
            return text.length() < KEY_DIGITS
                    ? null
                    : new RemoveKey(HexFormat.fromHexDigitsToLong(text, 0, KEY_DIGITS));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Lower case with colons, as the reference compares text. */
    private static @Nullable Long mac(String text) {
        return text.matches("[0-9a-f]{2}(:[0-9a-f]{2}){5}")
                ? Long.valueOf(HexFormat.fromHexDigitsToLong(text.replace(":", "")))
                : null;
    }

    private static @Nullable Prefix destination(String text) {
        try {
            InetAddress address = InetAddress.ofLiteral(text);
            ByteBuffer octets = ByteBuffer.wrap(address.getAddress());
            return address instanceof Inet6Address
                    ? Prefix.address(true, octets.getLong(), octets.getLong())
                    : Prefix.address(false, 0, Integer.toUnsignedLong(octets.getInt()));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
