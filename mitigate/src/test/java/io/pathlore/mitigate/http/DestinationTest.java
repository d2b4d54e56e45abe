package io.pathlore.mitigate.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "10.1.2.3",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.0.1",
                "169.254.169.254",
                "100.64.0.1",
                "0.0.0.0",
                "198.18.0.1",
                "255.255.255.255",
                "::1",
                "fe80::1",
                "fd00::1",
                "fc00::1",
                "::ffff:10.0.0.1",
                "64:ff9b::a00:1",
                "2002:a00:1::1"
            })
    void knowsWhatIsInside(String address) throws Exception {
        assertThat(Destination.isPrivate(InetAddress.getByName(address))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"198.51.100.1", "172.32.0.1", "100.128.0.1", "9.9.9.9", "2001:db8::1", "2620:fe::9"})
    void knowsWhatIsOutside(String address) throws Exception {
        assertThat(Destination.isPrivate(InetAddress.getByName(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///etc/passwd",
                "ftp://example.net/",
                "/hook",
                "http:///hook",
                "http://user:secret@example.net/",
                "http://example.net/#part",
                "http://exa mple.net/",
                "gopher://127.0.0.1:25/",
                "http://127.1/"
            })
    void takesNoTricks(String url) {
        assertThatThrownBy(() -> Destination.parse(url, true)).isInstanceOf(IllegalArgumentException.class);
    }

    /** However the address is written. */
    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://[::ffff:127.0.0.1]/"})
    void refusesLoopbackUnderAnyName(String url) {
        assertThatThrownBy(() -> Destination.parse(url, false).check()).hasMessageContaining("private address");
    }

    @Test
    void neverCallsGroups() {
        assertThatThrownBy(() -> Destination.parse("http://224.0.0.1/", true).check())
                .hasMessageContaining("is no host");
    }

    /** What a cloud tells its machines there is for nobody else; no configuration makes it otherwise. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "169.254.0.1",
                "[::ffff:169.254.169.254]",
                "[64:ff9b::a9fe:a9fe]",
                "[2002:a9fe:a9fe::]",
                "[fe80::1]",
                "[fd00:ec2::254]",
                "100.100.100.200"
            })
    void neverCallsWhereCloudsTellSecrets(String host) {
        assertThatThrownBy(() -> Destination.parse("http://" + host + "/latest/meta-data/", true)
                        .check())
                .hasMessageContaining("which is never called");
    }
}
