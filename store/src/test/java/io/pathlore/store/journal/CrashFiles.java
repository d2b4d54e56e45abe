package io.pathlore.store.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A file system in memory that keeps only what it must. Contents are safe after a sync of the file, names after a sync of the
 * directory; of everything else a power failure keeps any part, in any order, sector by sector. It can also be full, or
 * refuse.
 */
final class CrashFiles implements JournalFiles {
    private static final int SECTOR = 512;

    /** Not an exception anybody handles: the program is gone. */
    static final class PowerFailure extends RuntimeException {
        private static final long serialVersionUID = 1;

        PowerFailure() {
            super("power failure", null, false, false);
        }
    }

    private record Change(String from, String to, Inode file) {}

    private static final class Inode {
        byte[] now = new byte[0];
        byte[] safe = new byte[0];
    }

    private final RandomGenerator random;
    private TreeMap<String, Inode> names = new TreeMap<>();
    private TreeMap<String, Inode> safeNames = new TreeMap<>();
    private List<Change> changes = new ArrayList<>();
    private long room = 1L << 40;
    private long untilCrash = Long.MAX_VALUE;
    private double refusals;
    private boolean locked;
    private int life;
    private long operations;

    CrashFiles(RandomGenerator random) {
        this.random = random;
    }

    /** The power fails in the middle of the n-th operation from now that changes something. */
    void crashAfter(long operations) {
        untilCrash = operations;
    }

    /** How many octets the files may still grow, all together. */
    void room(long bytes) {
        room = bytes;
    }

    /** The share of operations that fail with an I/O error. */
    void refuse(double share) {
        refusals = share;
    }

    long operations() {
        return operations;
    }

    /** The process is gone, what it wrote is in the hands of the system. */
    void kill() {
        life++;
        locked = false;
        untilCrash = Long.MAX_VALUE;
    }

    /** The machine is gone. */
    void loseUnsafe() {
        kill();
        TreeMap<String, Inode> kept = new TreeMap<>(safeNames);
        int style = random.nextInt(3);
        int upTo = random.nextInt(changes.size() + 1);
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            if (style == 0 ? i < upTo : style == 1 && random.nextBoolean()) {
                apply(kept, change);
            }
        }
        for (Inode file : names.values()) {
            file.now = remains(file);
            file.safe = file.now.clone();
        }
        for (Inode file : kept.values()) {
            if (!names.containsValue(file)) {
                file.now = remains(file);
                file.safe = file.now.clone();
            }
        }
        names = kept;
        safeNames = new TreeMap<>(kept);
        changes = new ArrayList<>();
    }

    private byte[] remains(Inode file) {
        if (Arrays.equals(file.now, file.safe)) {
            return file.safe;
        }
        return switch (random.nextInt(4)) {
            case 0 -> file.safe;
            case 1 -> file.now;
            case 2 -> {
                int shorter = Math.min(file.now.length, file.safe.length);
                int longer = Math.max(file.now.length, file.safe.length);
                byte[] longest = file.now.length == longer ? file.now : file.safe;
                yield Arrays.copyOf(longest, shorter + random.nextInt(longer - shorter + 1));
            }
            default -> {
                byte[] mixed = new byte[random.nextBoolean() ? file.now.length : file.safe.length];
                for (int at = 0; at < mixed.length; at += SECTOR) {
                    byte[] from = random.nextBoolean() ? file.now : file.safe;
                    int end = Math.min(mixed.length, at + SECTOR);
                    if (at < from.length) {
                        System.arraycopy(from, at, mixed, at, Math.min(end, from.length) - at);
                    }
                }
                yield mixed;
            }
        };
    }

    /** All files as a reader would find them. */
    SortedMap<String, byte[]> contents() {
        TreeMap<String, byte[]> contents = new TreeMap<>();
        names.forEach((name, file) -> contents.put(name, file.now));
        return contents;
    }

    /** Changes octets of a file as nobody should. */
    void put(String name, byte[] bytes) {
        Inode file = names.computeIfAbsent(name, n -> new Inode());
        file.now = bytes.clone();
        file.safe = bytes.clone();
        safeNames.put(name, file);
    }

    void remove(String name) {
        names.remove(name);
        safeNames.remove(name);
    }

    @Override
    public String where() {
        return "memory";
    }

    @Override
    public List<String> list() {
        return new ArrayList<>(names.keySet());
    }

    @Override
    public boolean exists(String name) {
        return names.containsKey(name);
    }

    @Override
    public JournalFile create(String name) throws IOException {
        before();
        Inode file = new Inode();
        change(new Change(name, name, file));
        after();
        return new Handle(file);
    }

    @Override
    public JournalFile open(String name) throws IOException {
        Inode file = names.get(name);
        if (file == null) {
            throw new java.nio.file.NoSuchFileException(name);
        }
        return new Handle(file);
    }

    @Override
    public JournalFile edit(String name) throws IOException {
        return open(name);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        before();
        Inode file = names.get(from);
        if (file == null) {
            throw new java.nio.file.NoSuchFileException(from);
        }
        change(new Change(from, to, file));
        after();
    }

    @Override
    public void delete(String name) throws IOException {
        before();
        Inode file = names.get(name);
        if (file != null) {
            change(new Change(name, "", file));
        }
        after();
    }

    @Override
    public void syncDirectory() throws IOException {
        before();
        safeNames = new TreeMap<>(names);
        changes.clear();
        after();
    }

    private void change(Change change) {
        apply(names, change);
        changes.add(change);
    }

    private static void apply(Map<String, Inode> names, Change change) {
        names.remove(change.from);
        if (!change.to.isEmpty()) {
            names.put(change.to, change.file);
        }
    }

    @Override
    public boolean isFull(IOException failure) {
        return "No space left on device".equals(failure.getMessage());
    }

    @Override
    public Closeable lock() throws IOException {
        if (locked) {
            throw new JournalException("journal memory: is written by another collector");
        }
        locked = true;
        int mine = life;
        return () -> {
            if (life == mine) {
                locked = false;
            }
        };
    }

    /** The power may fail before the operation does anything … */
    private void before() throws IOException {
        operations++;
        if (--untilCrash == 0 && random.nextBoolean()) {
            throw new PowerFailure();
        }
        if (refusals > 0 && random.nextDouble() < refusals) {
            throw new IOException("Input/output error");
        }
    }

    /** … or when it has, before the program hears of it. */
    private void after() {
        if (untilCrash <= 0) {
            throw new PowerFailure();
        }
    }

    private final class Handle implements JournalFile {
        private final Inode file;
        private final int opened = life;
        private boolean closed;

        Handle(Inode file) {
            this.file = file;
        }

        private void check() {
            if (closed || opened != life) {
                throw new IllegalStateException("the file is closed");
            }
        }

        @Override
        public int write(ByteBuffer from, long offset) throws IOException {
            check();
            before();
            int length = from.remaining();
            boolean failing = untilCrash <= 0;
            if (failing || random.nextInt(8) == 0) {
                length = random.nextInt(length) + 1; // a short write is legal at any time
            }
            long growth = Math.max(0, offset + length - file.now.length);
            if (growth > room) {
                length -= (int) (growth - room);
                if (length <= 0) {
                    throw new IOException("No space left on device");
                }
                growth = room;
            }
            room -= growth;
            byte[] bytes = new byte[length];
            from.get(bytes);
            int end = (int) offset + length;
            if (end > file.now.length) {
                file.now = Arrays.copyOf(file.now, end);
            } else {
                file.now = file.now.clone();
            }
            System.arraycopy(bytes, 0, file.now, (int) offset, length);
            after();
            return length;
        }

        @Override
        public int read(ByteBuffer into, long offset) {
            check();
            if (offset >= file.now.length) {
                return -1;
            }
            int length = Math.min(into.remaining(), file.now.length - (int) offset);
            into.put(file.now, (int) offset, length);
            return length;
        }

        @Override
        public long size() {
            check();
            return file.now.length;
        }

        // Never refused, so that what was counted as dropped is gone and the books can be compared exactly.
        @Override
        public void truncate(long size) {
            check();
            operations++;
            if (size < file.now.length) {
                room += file.now.length - size;
                file.now = Arrays.copyOf(file.now, (int) size);
            }
            untilCrash--;
            after();
        }

        @Override
        public void sync() throws IOException {
            check();
            before();
            file.safe = file.now;
            after();
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
