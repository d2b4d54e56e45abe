package io.pathlore.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** A token, and the file it was read from. */
public record AccessToken(String secret, Path file) {
    private static final int MAX_BYTES = 4_096;
    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e]+");

    /** There is none to be had. The message is the file and why. */
    public static final class Missing extends Exception {
        private static final long serialVersionUID = 1;

        public Missing(String message) {
            super(message);
        }
    }

    public static AccessToken read(Path file) throws Missing {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException e) {
            throw new Missing(file + ": no such file");
        } catch (AccessDeniedException e) {
            throw new Missing(file + ": only its owner may read it");
        } catch (IOException e) {
            throw new Missing(file + ": cannot be read: " + e.getMessage());
        }
        String secret = new String(bytes, StandardCharsets.ISO_8859_1).strip();
        if (bytes.length > MAX_BYTES || !FORM.matcher(secret).matches()) {
            throw new Missing(file + ": is not a token, which is one word on one line");
        }
        return new AccessToken(secret, file);
    }

    /** Not for logs. */
    @Override
    public String toString() {
        return "token of " + file;
    }
}
