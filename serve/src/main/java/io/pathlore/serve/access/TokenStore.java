package io.pathlore.serve.access;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of one data directory. Only their hashes are kept: a token is 256 random bits, so a plain SHA-256 can neither
 * be guessed nor turned back, and needs no salt. Several processes may use one directory: changes are made under a lock,
 * and a running server sees what a command added or revoked with the next request.
 */
public final class TokenStore {
    /** Hashes of all tokens. */
    public static final String FILE = "tokens";
    /** The token made at first start, in clear, for the commands on this machine. */
    public static final String ADMIN_FILE = "admin.token";

    private static final String LOCK_FILE = "tokens.lock";
    private static final String ADMIN = "admin";
    /** Lets secret scanners and people recognise one. */
    private static final String PREFIX = "pathlore_";

    private static final int TOKEN_BYTES = 32;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /** What a presented token turned out to be. */
    public sealed interface Lookup {
        record Valid(Token token) implements Lookup {}

        record Expired(Token token) implements Lookup {}

        record Unknown() implements Lookup {}
    }

    private final Path directory;
    private final TokenFile file;
    private final SecureRandom random = new SecureRandom();

    private List<TokenFile.Entry> entries = List.of();
    private TokenFile.@Nullable Stamp seen;

    private TokenStore(Path directory, TokenFile.Steps steps) {
        this.directory = directory;
        this.file = new TokenFile(directory.resolve(FILE), steps);
    }

    /** Opens the store of an existing directory. The first time this makes {@value #ADMIN_FILE}. */
    public static TokenStore open(Path directory, long nowNanos) throws IOException, TokenException {
        return open(directory, nowNanos, step -> {});
    }

    static TokenStore open(Path directory, long nowNanos, TokenFile.Steps steps) throws IOException, TokenException {
        TokenStore store = new TokenStore(directory, steps);
        store.change(entries -> {
            if (store.seen == null) {
                // This file first: a crash between the two leaves no hash, and the next start makes both again.
                String token = store.fresh();
                TokenFile.replace(directory.resolve(ADMIN_FILE), token + "\n", steps);
                entries.add(new TokenFile.Entry(new Token(ADMIN, Role.ADMIN, nowNanos, Token.NEVER), print(token)));
                return true;
            }
            return false;
        });
        return store;
    }

    /** Where the token made at first start was written; an operator may have removed it since. */
    public Path adminFile() {
        return directory.resolve(ADMIN_FILE);
    }

    /** Returns the token itself: this is the only time it can be had. */
    public String add(String name, Role role, long nowNanos, long expiresNanos) throws IOException, TokenException {
        if (!isGoodName(name)) {
            throw new TokenException("a token's name is 1 to 64 letters, digits, '.', '_' or '-'");
        }
        if (expiresNanos <= nowNanos) {
            throw new TokenException("token " + name + " would have expired already: give a later time");
        }
        String token = fresh();
        change(entries -> {
            if (entries.stream().anyMatch(entry -> entry.token().name().equals(name))) {
                throw new TokenException("there is a token " + name + " already: revoke it, or choose another name");
            }
            if (entries.size() >= TokenFile.MAX_TOKENS) {
                throw new TokenException("there are " + entries.size() + " tokens, the most there can be: revoke one");
            }
            return entries.add(new TokenFile.Entry(new Token(name, role, nowNanos, expiresNanos), print(token)));
        });
        return token;
    }

    public synchronized List<Token> list() throws IOException, TokenException {
        refresh();
        return entries.stream().map(TokenFile.Entry::token).toList();
    }

    public void revoke(String name) throws IOException, TokenException {
        change(entries -> {
            if (!entries.removeIf(entry -> entry.token().name().equals(name))) {
                throw new TokenException("there is no token " + name + ": see what there is with token list");
            }
            if (entries.stream().noneMatch(TokenStore::lastingAdmin)) {
                throw new TokenException(
                        "token " + name + " is the last of role admin that does not expire: add another first");
            }
            return true;
        });
    }

    private static boolean lastingAdmin(TokenFile.Entry entry) {
        return entry.token().role() == Role.ADMIN && entry.token().expiresNanos() == Token.NEVER;
    }

    /** Takes the same time whichever token it is, if any: all hashes are compared, each in constant time. */
    public Lookup find(String presented, long nowNanos) throws IOException, TokenException {
        return find(print(presented), nowNanos);
    }

    /** By its {@link #print}. */
    public synchronized Lookup find(byte[] hash, long nowNanos) throws IOException, TokenException {
        refresh();
        Token found = null;
        for (TokenFile.Entry entry : entries) {
            if (MessageDigest.isEqual(hash, entry.hash())) {
                found = entry.token();
            }
        }
        if (found == null) {
            return new Lookup.Unknown();
        }
        return found.expired(nowNanos) ? new Lookup.Expired(found) : new Lookup.Valid(found);
    }

    @FunctionalInterface
    private interface Change {
        /** Whether there is something to write. */
        boolean to(List<TokenFile.Entry> entries) throws IOException, TokenException;
    }

    /** The lock of the file keeps other processes out; that of the class other stores of this one. */
    private void change(Change change) throws IOException, TokenException {
        synchronized (TokenStore.class) {
            changeAlone(change);
        }
    }

    private synchronized void changeAlone(Change change) throws IOException, TokenException {
        Path lockPath = directory.resolve(LOCK_FILE);
        try (FileChannel channel = FileChannel.open(
                        lockPath,
                        Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE),
                        TokenFile.ownerOnly(lockPath));
                FileLock lock = channel.lock()) {
            assert lock.isValid();
            TokenFile.giveToOwnerOfDirectory(lockPath);
            refresh();
            List<TokenFile.Entry> changed = new ArrayList<>(entries);
            if (change.to(changed)) {
                file.write(changed);
                refresh();
            }
        }
    }

    /** A file that went away or cannot be read leaves no token valid. */
    private void refresh() throws IOException, TokenException {
        TokenFile.Stamp now = file.stamp();
        if (now == null || !now.equals(seen)) {
            entries = List.of();
            seen = null;
            if (now != null) {
                entries = file.read();
                seen = now;
            }
        }
    }

    /** What a token may be called. */
    public static boolean isGoodName(String name) {
        return NAME.matcher(name).matches();
    }

    private String fresh() {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** What is kept of a token: nobody can make the token of it. */
    public static byte[] print(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e); // every Java platform has it
        }
    }
}
