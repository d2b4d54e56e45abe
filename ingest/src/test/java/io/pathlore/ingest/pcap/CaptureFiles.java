package io.pathlore.ingest.pcap;

import static io.pathlore.testkit.Hex.bytes;

import io.pathlore.testkit.Hex;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** CaptureFiles for tests, and what a reader made of them. */
final class CaptureFiles {
    static final List<String> GOLDEN = List.of(
            "fabric_v05_reports",
            "geant_int10_reports",
            "linux_ioam_packets",
            "onos_basic_int10_reports",
            "p4int_md_v20_reports",
            "p4int_mx_v20_reports",
            "transparent_security_reports",
            "transparent_security_tofino");

    /** A frame, copied. */
    record Read(long number, long timeNanos, int linkType, String hex, long originalLength) {}

    /** All frames and, if it did not end well, how. */
    record Outcome(List<Read> frames, @Nullable String error) {}

    private CaptureFiles() {}

    /** The file of that name in the test resources, from its hex. */
    static byte[] golden(String name) {
        try (InputStream in = CaptureFiles.class.getResourceAsStream("/captures/" + name + ".hex")) {
            String text = new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
            return bytes(text.replaceAll("(?m)^#.*$", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static CaptureReader open(byte[] file) throws CaptureException {
        return CaptureReader.open(new ByteArrayInputStream(file), "x.pcap");
    }

    static Outcome read(byte[] file) {
        return read(file, CaptureInput.DEFAULT_WINDOW);
    }

    /** Reads to the end, however it ends, through a window that starts this small. */
    static Outcome read(byte[] file, int window) {
        var frames = new ArrayList<Read>();
        try (var reader = CaptureReader.open(new ByteArrayInputStream(file), "x.pcap", file.length, window)) {
            while (reader.next()) {
                frames.add(copy(reader));
            }
            return new Outcome(frames, null);
        } catch (CaptureException e) {
            return new Outcome(frames, e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Read copy(CaptureReader reader) {
        byte[] bytes = new byte[reader.length()];
        reader.buffer().get(reader.offset(), bytes);
        return new Read(
                reader.frame(), reader.timeNanos(), reader.linkType(), Hex.text(bytes), reader.originalLength());
    }

    static byte[] gzip(byte[] plain) {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    static byte[] prefix(byte[] file, int length) {
        return Arrays.copyOf(file, length);
    }
}
