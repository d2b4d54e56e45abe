package io.pathlore.serve.access;

import io.pathlore.model.TimeText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The file behind the store: a line of version, then a line per token: name, role, created, expires, SHA-256. It is never
 * changed in place: whoever reads it, after whatever crash, sees all of the old one or all of the new one.
 */
final class TokenFile {
    static final int HASH_LENGTH = 32;
    static final int MAX_TOKENS = 1_000;
    private static final String VERSION = "pathlore-tokens 1";
    private static final String NEVER = "never";
    private static final int MAX_BYTES = 1 << 20;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    record Entry(Token token, byte[] hash) {}

    /** Tells one state of the file from the next: a rename gives it another key, and mostly another time and size. */
    record Stamp(@Nullable Object key, long modifiedNanos, long size) {}

    /** Where a crash may fall between two writes; tests stop here. */
    enum Step {
        WRITTEN,
        FORCED,
        RENAMED
    }

    @FunctionalInterface
    interface Steps {
        void done(Step step) throws IOException;
    }

    private final Path path;
    private final Steps steps;

    TokenFile(Path path, Steps steps) {
        this.path = path;
        this.steps = steps;
    }

    /** Null where there is no file. */
    @Nullable
    Stamp stamp() throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return new Stamp(
                    attributes.fileKey(), attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS), attributes.size());
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    List<Entry> read() throws IOException, TokenException {
        refuseWhatOthersCanWrite();
        if (Files.size(path) > MAX_BYTES) {
            throw new TokenException(path + " is larger than " + MAX_BYTES + " bytes: this is not a token file");
        }
        List<String> lines =
                Files.readString(path, StandardCharsets.ISO_8859_1).lines().toList();
        if (lines.isEmpty() || !lines.getFirst().equals(VERSION)) {
            throw new TokenException(path + ":1: not \"" + VERSION
                    + "\": written by a newer version, or damaged. Delete it to start again with a new admin.token");
        }
        List<Entry> entries = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int line = 1; line < lines.size(); line++) {
            Entry entry = parse(lines.get(line));
            if (entry == null || !names.add(entry.token.name())) {
                throw new TokenException(
                        path + ":" + (line + 1)
                                + ": not a token: name, role, created, expires, SHA-256. Delete the line to revoke what it was");
            }
            entries.add(entry);
        }
        return entries;
    }

    private static @Nullable Entry parse(String line) {
        String[] fields = line.split(" ", -1);
        if (fields.length != 5) {
            return null;
        }
        Role role = Role.of(fields[1]);
        Long created = TimeText.parse(fields[2]);
        Long expires = fields[3].equals(NEVER) ? Long.valueOf(Token.NEVER) : TimeText.parse(fields[3]);
        if (!TokenStore.isGoodName(fields[0]) || role == null || created == null || expires == null) {
            return null;
        }
        try {
            byte[] hash = HexFormat.of().parseHex(fields[4]);
            return hash.length == HASH_LENGTH ? new Entry(new Token(fields[0], role, created, expires), hash) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    void write(List<Entry> entries) throws IOException {
        StringBuilder text = new StringBuilder(VERSION).append('\n');
        for (Entry entry : entries) {
            Token token = entry.token;
            text.append(token.name()).append(' ').append(token.role().text()).append(' ');
            text.append(TimeText.of(token.createdNanos())).append(' ');
            text.append(token.expiresNanos() == Token.NEVER ? NEVER : TimeText.of(token.expiresNanos()));
            text.append(' ').append(HexFormat.of().formatHex(entry.hash)).append('\n');
        }
        replace(path, text.toString(), steps);
    }

    /** Writes beside the file, makes that durable, and only then gives it the name. Nobody but the owner can read it. */
    static void replace(Path path, String text, Steps steps) throws IOException {
        Path fresh = path.resolveSibling(path.getFileName() + ".new");
        Files.deleteIfExists(fresh); // of a crash, perhaps; and CREATE_NEW follows no link that somebody put here
        try (FileChannel channel = FileChannel.open(
                fresh, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW), ownerOnly(path))) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            steps.done(Step.WRITTEN);
            channel.force(true);
        }
        keepOwner(fresh, path);
        steps.done(Step.FORCED);
        Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        steps.done(Step.RENAMED);
        forceDirectory(path);
    }

    /** Or a command of root's would leave the collector, which is somebody else, tokens that it cannot read. */
    private static void keepOwner(Path fresh, Path path) throws IOException {
        if (!posix(path)) {
            return;
        }
        if (!Files.exists(path)) {
            giveToOwnerOfDirectory(fresh);
            return;
        }
        UserPrincipal owner = Files.getOwner(path);
        if (!owner.equals(Files.getOwner(fresh))) {
            try {
                Files.setOwner(fresh, owner);
            } catch (FileSystemException e) {
                Files.delete(fresh);
                throw new IOException(path + " belongs to " + owner.getName() + ": do this as that user", e);
            }
        }
    }

    /** Where that is somebody else, and we may. */
    static void giveToOwnerOfDirectory(Path path) throws IOException {
        if (posix(path)) {
            UserPrincipal owner =
                    Files.getOwner(Objects.requireNonNull(path.toAbsolutePath().getParent()));
            if (!owner.equals(Files.getOwner(path))) {
                try {
                    Files.setOwner(path, owner);
                } catch (FileSystemException e) {
                    // Not root: then it is ours, in a directory that lets us in.
                }
            }
        }
    }

    static FileAttribute<?>[] ownerOnly(Path path) {
        return posix(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
                : new FileAttribute<?>[0];
    }

    /** Without this the new name may be gone after a power cut. Not every system lets a directory be opened. */
    private static void forceDirectory(Path path) throws IOException {
        if (posix(path)) {
            try (FileChannel directory = FileChannel.open(
                    Objects.requireNonNull(path.toAbsolutePath().getParent()), StandardOpenOption.READ)) {
                directory.force(true);
            }
        }
    }

    private void refuseWhatOthersCanWrite() throws IOException, TokenException {
        if (posix(path)) {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
            if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                    || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
                throw new TokenException(path + " can be written by others, who could give themselves any role: check"
                        + " its lines, then chmod 600 " + path);
            }
        }
    }

    private static boolean posix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
