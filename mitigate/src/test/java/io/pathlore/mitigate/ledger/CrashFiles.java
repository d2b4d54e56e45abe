package io.pathlore.mitigate.ledger;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A file system in memory that keeps only what it must: contents after a sync of the file, names after a sync of the directory; of all else a
 * power failure keeps any part. It can also be full.
 */
final class CrashFiles implements LedgerFiles {
    /** Nobody handles it: the program is gone. */
    static final class PowerFailure extends RuntimeException {
        private static final long serialVersionUID = 1;

        PowerFailure() {
            super("power failure", null, false, false);
        }
    }

    private static final int SECTOR = 512;

    private static final class Inode {
        byte[] now = new byte[0];
        byte[] safe = new byte[0];
    }

    private record Change(String from, String to, Inode file) {}

    private final RandomGenerator random;
    private TreeMap<String, Inode> names = new TreeMap<>();
    private TreeMap<String, Inode> safeNames = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();
    private long untilCrash = Long.MAX_VALUE;
    private long room = 1L << 40;

    CrashFiles(RandomGenerator random) {
        this.random = random;
    }

    /** In the middle of the n-th operation from now that changes something. */
    void crashAfter(long operations) {
        untilCrash = operations;
    }

    void room(long bytes) {
        room = bytes;
    }

    /** The process is gone; the system has what it wrote. */
    void kill() {
        untilCrash = Long.MAX_VALUE;
    }

    /** The machine is gone. */
    void loseUnsafe() {
        kill();
        TreeMap<String, Inode> kept = new TreeMap<>(safeNames);
        int upTo = random.nextInt(changes.size() + 1);
        for (Change change : changes.subList(0, upTo)) {
            apply(kept, change);
        }
        List<Inode> all = new ArrayList<>(names.values());
        all.addAll(kept.values());
        for (Inode file : all) {
            file.now = remains(file);
            file.safe = file.now;
        }
        names = kept;
        safeNames = new TreeMap<>(kept);
        changes.clear();
    }

    private byte[] remains(Inode file) {
        byte[] mixed = new byte[random.nextBoolean() ? file.now.length : file.safe.length];
        for (int at = 0; at < mixed.length; at += SECTOR) {
            byte[] from = random.nextBoolean() ? file.now : file.safe;
            int end = Math.min(mixed.length, at + SECTOR);
            if (at < from.length) {
                System.arraycopy(from, at, mixed, at, Math.min(end, from.length) - at);
            }
        }
        return mixed;
    }

    byte[] content(String name) {
        Inode file = names.get(name);
        return file == null ? new byte[0] : file.now.clone();
    }

    void put(String name, byte[] bytes) {
        Inode file = names.computeIfAbsent(name, _ -> new Inode());
        file.now = bytes.clone();
        file.safe = file.now;
        safeNames.put(name, file);
    }

    private void before() {
        if (--untilCrash == 0 && random.nextBoolean()) {
            throw new PowerFailure();
        }
    }

    private void after() {
        if (untilCrash <= 0) {
            throw new PowerFailure();
        }
    }

    @Override
    public String where() {
        return "memory";
    }

    @Override
    public byte[] read(String name) {
        return content(name);
    }

    @Override
    public void create(String name) {
        before();
        Inode old = names.get(name);
        room += old == null ? 0 : old.now.length;
        change(new Change(name, name, new Inode()));
        after();
    }

    @Override
    public void append(String name, byte[] bytes) throws IOException {
        before();
        Inode file = file(name);
        boolean failing = untilCrash <= 0;
        int length = failing ? random.nextInt(bytes.length + 1) : (int) Math.min(room, bytes.length);
        file.now = Arrays.copyOf(file.now, file.now.length + length);
        System.arraycopy(bytes, 0, file.now, file.now.length - length, length);
        room -= length;
        after();
        if (length < bytes.length) {
            throw new IOException("No space left on device");
        }
    }

    @Override
    public void truncate(String name, long length) throws IOException {
        before();
        Inode file = file(name);
        room += file.now.length - length;
        file.now = Arrays.copyOf(file.now, (int) length);
        after();
    }

    @Override
    public void sync(String name) throws IOException {
        before();
        Inode file = file(name);
        file.safe = file.now;
        after();
    }

    private Inode file(String name) throws IOException {
        Inode file = names.get(name);
        if (file == null) {
            throw new IOException(name + ": no such file");
        }
        return file;
    }

    @Override
    public void rename(String from, String to) throws IOException {
        before();
        Inode old = names.get(to);
        room += old == null ? 0 : old.now.length;
        change(new Change(from, to, file(from)));
        after();
    }

    @Override
    public void delete(String name) {
        before();
        Inode file = names.get(name);
        if (file != null) {
            room += file.now.length;
            change(new Change(name, "", file));
        }
        after();
    }

    @Override
    public void syncDirectory() {
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
}
