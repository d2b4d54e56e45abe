package io.pathlore.it.fuzz;

import io.pathlore.testkit.Hex;
import io.pathlore.testkit.vectors.Captures;
import io.pathlore.testkit.vectors.GoldenVectors;
import io.pathlore.testkit.vectors.Start;
import io.pathlore.testkit.vectors.Triggers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Where fuzzing starts: the vectors, the captures, and what earlier runs found worth keeping ({@code fuzz/*.hex}). */
final class Seeds {
    private Seeds() {}

    static List<byte[]> datagrams() {
        List<byte[]> seeds = new ArrayList<>(kept("datagrams"));
        for (GoldenVectors.Vector vector : GoldenVectors.all()) {
            if (vector.start() == Start.REPORT) {
                seeds.add(vector.bytes());
            }
        }
        for (Triggers.Trigger trigger : Triggers.all()) {
            if (trigger.start() == Start.REPORT) {
                seeds.add(trigger.bytes());
            }
        }
        for (String capture : Captures.names()) {
            if (!capture.startsWith("linux")) {
                Captures.frames(capture).forEach(frame -> seeds.add(frame.datagram()));
            }
        }
        return seeds;
    }

    static List<byte[]> packets() {
        List<byte[]> seeds = new ArrayList<>(kept("packets"));
        for (GoldenVectors.Vector vector : GoldenVectors.all()) {
            if (vector.start() != Start.REPORT) {
                seeds.add(vector.bytes());
                seeds.add(vector.start().frame(vector.bytes()));
            }
        }
        Captures.frames("linux_ioam_packets").forEach(frame -> seeds.add(frame.bytes()));
        return seeds;
    }

    static List<byte[]> captures() throws IOException {
        List<byte[]> seeds = new ArrayList<>(kept("captures"));
        seeds.add(Files.readAllBytes(
                Path.of(System.getProperty("pathlore.root", ".."), "examples", "first-reports.pcap")));
        return seeds;
    }

    static List<byte[]> filters() {
        List<byte[]> seeds = new ArrayList<>(kept("filters"));
        List.of(
                        "node = leaf-3 and hop.latency > 50us and dst in 10.2.0.0/16 and not drop.reason = acl_deny",
                        "(dropped or not congested) && !tracked || version >= 1.0",
                        "port in {22, 80..443} and proto != tcp and vni <> 0x17",
                        "ip in (2001:db8::/32, ::ffff:10.0.0.1, 1.1.1.1..1.1.1.9) and exporter not in ::/0",
                        "path like leaf-3 > * > 7 or path = \"1>2>3\" or hop.node like leaf-*",
                        "error like TR20_% and severity >= warning and kind = path-change",
                        "device = 02:00:00:00:01:0a or device = leaf-3/17 or flow = 63d04c9c1d4df139",
                        "hop.occupancy > 1.5 MB and latency in 1ms..2s and dialect = geant and dropped = false")
                .forEach(text -> seeds.add(text.getBytes(StandardCharsets.UTF_8)));
        return seeds;
    }

    /** One input a line, in hex. */
    private static List<byte[]> kept(String name) {
        InputStream resource = Seeds.class.getResourceAsStream("/fuzz/" + name + ".hex");
        if (resource == null) {
            return List.of();
        }
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(resource, StandardCharsets.US_ASCII))) {
            return lines.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Hex::bytes)
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException("cannot read the kept inputs " + name, e);
        }
    }
}
