package io.pathlore.it.defend;

import io.pathlore.bench.defend.LiveNetwork;
import io.pathlore.cli.config.ScenarioFiles;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.model.IpText;
import io.pathlore.model.MacText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A few homes, in each of which a camera can be told to flood somebody outside. */
record Network(Scenario scenario) {
    static Network of(Path directory, String duration, String attacks) throws IOException {
        Files.writeString(directory.resolve("network.yaml"), """
                description: homes
                duration: %s
                topology: { kind: access, aggregations: 2, homes-per-aggregation: 4, devices-per-home: 4, internet-hosts: 4 }
                telemetry:
                  dialect: transparent-security
                  watch:
                    - { name: sampled, sampling: 10 }
                traffic:
                  - { kind: iot, name: sensors, from: sensor, to: internet-3, period: 2s }
                """.formatted(duration) + attacks);
        return new Network(ScenarioFiles.load("network.yaml", directory));
    }

    /** What a collector is told of it. */
    String inventory() {
        return LiveNetwork.inventory(scenario);
    }

    private Topology.Host host(String name) {
        return scenario.topology().hosts().stream()
                .filter(host -> host.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    String mac(String host) {
        return MacText.of(host(host).mac());
    }

    String ipv4(String host) {
        return IpText.of(false, 0, Integer.toUnsignedLong(host(host).ipv4()));
    }

    /** What drop reports call the rule that keeps a device from a port. */
    String key(String device, String victim, long port) {
        String text = mac(device) + "|" + port + "|" + ipv4(victim) + "|::";
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
