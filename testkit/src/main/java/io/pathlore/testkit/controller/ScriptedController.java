package io.pathlore.testkit.controller;

import io.pathlore.testkit.Json;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The SDN controller of the Transparent Security reference on loopback, which does what it is told to do wrong. It speaks HTTP by hand, so that
 * it can also speak it badly, and keeps its rules by key as the original does: one entry for each, however often it is posted.
 */
public final class ScriptedController implements AutoCloseable {
    /** How it takes a call. */
    public enum Manner {
        /** As the original: 201 and a JSON string. */
        FINE,
        /** Hangs up without a word, having done nothing. */
        DOWN,
        /** Does it and says nothing until it is closed. */
        SLOW,
        /** 500, having done nothing. */
        ERROR,
        /** Does it, and hangs up before it says so. */
        HALF_APPLIED,
        /** 201, having done nothing. */
        ONLY_SAYS_SO,
        /** Does it and answers twice. */
        TWO_ANSWERS
    }

    private static final String ANSWER = "\"{\\\"success\\\": true}\"";
    private static final int LARGEST = 1 << 16;

    private final ServerSocket server;
    private final Thread accepting;
    private final Map<String, String> rules = new LinkedHashMap<>();
    private final List<String> calls = new ArrayList<>();
    private final Deque<Manner> script = new ArrayDeque<>();
    private final List<Socket> held = new ArrayList<>();
    private Manner manner = Manner.FINE;

    public ScriptedController() {
        try {
            server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        accepting = Thread.ofVirtual().start(this::accept);
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    /** From now on, but for what {@link #next} says. */
    public synchronized void manner(Manner manner) {
        this.manner = manner;
    }

    /** Of the next calls, one after the other. */
    public synchronized void next(Manner... manners) {
        script.addAll(List.of(manners));
    }

    /** It starts again, and knows nothing. */
    public synchronized void restart() {
        rules.clear();
    }

    /** The keys of all rules in force. */
    public synchronized Set<String> keys() {
        return new TreeSet<>(rules.keySet());
    }

    /** Every call so far: method, path, body. */
    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    public synchronized void put(String key) {
        rules.put(key, "somebody else's");
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            String[] request = line(in).split(" ", -1);
            if (request.length < 2) {
                return;
            }
            int length = 0;
            for (String header = line(in); !header.isEmpty(); header = line(in)) {
                if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                    length = Math.min(
                            LARGEST,
                            Integer.parseInt(
                                    header.substring(header.indexOf(':') + 1).strip()));
                }
            }
            String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
            Manner now = take(request[0] + " " + request[1] + " " + body);
            boolean acts =
                    now == Manner.FINE || now == Manner.SLOW || now == Manner.HALF_APPLIED || now == Manner.TWO_ANSWERS;
            if (acts) {
                act(request[0], body);
            }
            OutputStream out = socket.getOutputStream();
            switch (now) {
                case FINE, ONLY_SAYS_SO -> answer(out, "201 Created");
                case ERROR -> answer(out, "500 Internal Server Error");
                case TWO_ANSWERS -> {
                    answer(out, "201 Created");
                    answer(out, "201 Created");
                }
                case SLOW -> hold(socket, in);
                case DOWN, HALF_APPLIED -> socket.setSoLinger(true, 0);
            }
        } catch (IOException e) {
            // The caller lost patience.
        }
    }

    private void hold(Socket socket, InputStream in) throws IOException {
        synchronized (this) {
            held.add(socket);
        }
        int end = in.read();
        if (end >= 0) {
            throw new IOException("more than was announced");
        }
    }

    private synchronized Manner take(String call) {
        calls.add(call);
        return script.isEmpty() ? manner : script.removeFirst();
    }

    private synchronized void act(String method, String body) {
        if (!(Json.object(body).get("event") instanceof Map<?, ?> event)) {
            return;
        }
        if (event.get("dropKey") instanceof String key) {
            rules.remove(key.substring(0, 16));
            return;
        }
        String key = key(event);
        if (method.equals("POST")) {
            rules.put(key, body);
        } else {
            rules.remove(key);
        }
    }

    private static String key(Map<?, ?> event) {
        boolean v4 = Long.valueOf(4).equals(event.get("ip_ver"));
        String text = event.get("src_mac") + "|" + event.get("dst_port") + "|" + (v4 ? event.get("dst_ip") : "0.0.0.0")
                + "|" + (v4 ? "::" : event.get("dst_ip"));
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void answer(OutputStream out, String status) throws IOException {
        String text = "HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\nContent-Length: " + ANSWER.length()
                + "\r\nConnection: close\r\n\r\n" + ANSWER;
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n' && line.length() < LARGEST; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    /** When it returns nobody listens any more: a virtual thread that accepts closes the socket itself, once it is woken. */
    @Override
    public void close() {
        try {
            server.close();
            accepting.join();
            List<Socket> open;
            synchronized (this) {
                open = List.copyOf(held);
            }
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
