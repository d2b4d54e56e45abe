package io.pathlore.ingest.udp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A program for the kernel that tells which of the sockets sharing a port gets a datagram: always the same one for the same
 * source address. Left alone, the kernel goes by the source port too, and the numbers of an exporter that uses several ports
 * would be read in pieces, each with gaps [SO_ATTACH_REUSEPORT_CBPF in socket(7)].
 */
final class Steering {
    /** struct sock_filter. */
    private static final int INSTRUCTION_BYTES = 8;

    private static final int OPERAND_AT = 4;

    // Classic BPF [linux/filter.h].
    private static final int LOAD_WORD = 0x20;
    private static final int MOVE_A_TO_X = 0x07;
    private static final int XOR_X = 0xAC;
    private static final int MULTIPLY = 0x24;
    private static final int SHIFT_RIGHT = 0x74;
    private static final int MODULO = 0x94;
    private static final int RETURN_A = 0x16;
    private static final int FROM_IP_HEADER = -0x10_0000;

    private static final int V4_SOURCE = 12;
    private static final int V6_SOURCE = 8;
    private static final int V6_WORDS = 4;
    /** 2^32 divided by the golden ratio. */
    private static final int MIX = 0x9E37_79B1;

    private static final int MOST_INSTRUCTIONS = 1 + 3 * V6_WORDS + 4;

    private final MemorySegment code;
    private int length;

    private Steering(Arena arena) {
        code = arena.allocate((long) MOST_INSTRUCTIONS * INSTRUCTION_BYTES, 8);
    }

    /** A struct sock_fprog, good as long as the arena. */
    static MemorySegment program(Arena arena, boolean six, int sockets) {
        Steering steering = new Steering(arena);
        steering.add(LOAD_WORD, FROM_IP_HEADER + (six ? V6_SOURCE : V4_SOURCE));
        for (int word = 1; six && word < V6_WORDS; word++) {
            steering.add(MOVE_A_TO_X, 0);
            steering.add(LOAD_WORD, FROM_IP_HEADER + V6_SOURCE + word * Integer.BYTES);
            steering.add(XOR_X, 0);
        }
        // Both halves of the address into the lower one: the lowest bits of a product know nothing of the higher ones.
        steering.add(MOVE_A_TO_X, 0);
        steering.add(SHIFT_RIGHT, Short.SIZE);
        steering.add(XOR_X, 0);
        steering.add(MULTIPLY, MIX);
        steering.add(SHIFT_RIGHT, Short.SIZE);
        steering.add(MODULO, sockets);
        steering.add(RETURN_A, 0);
        MemorySegment program = arena.allocate(16, 8);
        program.set(JAVA_SHORT, 0, (short) steering.length);
        program.set(JAVA_LONG, 8, steering.code.address());
        return program;
    }

    private void add(int operation, int operand) {
        long at = (long) length++ * INSTRUCTION_BYTES;
        code.set(JAVA_SHORT, at, (short) operation);
        code.set(JAVA_INT, at + OPERAND_AT, operand);
    }
}
