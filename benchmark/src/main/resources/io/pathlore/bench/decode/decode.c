/*
 * The baseline of `./bench decode`: what the Java decoders do, in C, into the same columns.
 *
 *     decode CORPUS
 *
 * CORPUS is a file of datagrams, each behind its length in two octets, big endian. One line is written when it is loaded:
 * reports, rejected reports and a checksum of everything decoded. After that every line read, `decode PASSES` or
 * `touch PASSES`, is answered by the nanoseconds of processor time it took; `touch` reads one word of each cache line,
 * which no decoder can beat.
 *
 * Two layouts are known, of the generality a decoder made for them would have: v2.0 reports with or without metadata of
 * the reporting node around Ethernet, IPv4 and INT-MD, and the same in the Transparent Security dialect. Every read is
 * behind a bounds check. What is not there is all ones, as in INT itself.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 1024, MAX_HOPS = 8, HOPS = ROWS * MAX_HOPS };

/* Columns a power of two apart share few cache sets and evict each other; 64 octets more set them apart. */
enum { PAD = 16 };

enum { ABSENT = -1 };
enum { REJECTED = -1 };

/* One row per report and, in the second part, one per hop. hop_end: where the hops of a row end. */
static struct {
    int32_t sequence[ROWS + PAD];
    int32_t node[ROWS + PAD];
    int32_t flags[ROWS + PAD];
    int32_t interfaces[ROWS + PAD];
    int32_t latency[ROWS + PAD];
    int32_t queue[ROWS + PAD];
    int32_t source[ROWS + PAD];
    int32_t destination[ROWS + PAD];
    int32_t ports[ROWS + PAD];
    int32_t protocol[ROWS + PAD];
    int32_t hop_end[ROWS + PAD];
    int64_t timestamp[ROWS + PAD / 2];

    int32_t hop_node[HOPS + PAD];
    int32_t hop_interfaces[HOPS + PAD];
    int32_t hop_latency[HOPS + PAD];
    int32_t hop_queue[HOPS + PAD];
    int64_t hop_ingress[HOPS + PAD / 2];
    int64_t hop_egress[HOPS + PAD / 2];
} batch;

static inline uint32_t get16(const uint8_t *at) {
    uint16_t value;
    memcpy(&value, at, sizeof value);
    return __builtin_bswap16(value);
}

static inline uint32_t get32(const uint8_t *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return __builtin_bswap32(value);
}

static inline uint64_t get64(const uint8_t *at) {
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return __builtin_bswap64(value);
}

enum { TRANSPARENT_SECURITY = 0x5453, INT_PORT = 555 };

/*
 * Metadata bits, the same in a report and in an INT header. All take one word but timestamps and level 2 interfaces, which
 * take two.
 */
enum {
    MD_NODE = 0x8000,
    MD_INTERFACES = 0x4000,
    MD_LATENCY = 0x2000,
    MD_QUEUE = 0x1000,
    MD_INGRESS_TIME = 0x0800,
    MD_EGRESS_TIME = 0x0400,
    MD_TWO_WORDS = 0x0E00,
};

static inline int metadata_bytes(uint32_t bits) {
    return 4 * (__builtin_popcount(bits) + __builtin_popcount(bits & MD_TWO_WORDS));
}

/* The report in [p, p + length) into this row and, from `hop` on, its hops; returns the next free hop, or REJECTED. */
static inline int decode(const uint8_t *p, int length, int row, int hop) {
    /* Group header, and the first word of the individual report [TR 2.0 §3.2, §3.3]. */
    if (length < 12) {
        return REJECTED;
    }
    uint32_t group = get32(p);
    if (group >> 28 != 2) {
        return REJECTED;
    }
    uint32_t first = get32(p + 8);
    batch.node[row] = get32(p + 4);
    batch.flags[row] = first & 0xF0;
    batch.interfaces[row] = ABSENT;
    batch.latency[row] = ABSENT;
    batch.queue[row] = ABSENT;
    batch.timestamp[row] = ABSENT;

    int at;
    int end = length;
    if (first >> 28 == 1) {
        /* What the reporting node says of itself. */
        at = 20;
        end = 12 + 4 * (first >> 16 & 0xFF);
        int inner = at + 4 * (first >> 8 & 0xFF);
        if (end > length || inner > end || (first >> 24 & 0xF) != 3) {
            return REJECTED;
        }
        uint32_t bits = get16(p + 12);
        if (at + metadata_bytes(bits) > inner) {
            return REJECTED;
        }
        batch.sequence[row] = group & 0x0FFFFFFF;
        if (bits & MD_INTERFACES) {
            batch.interfaces[row] = get32(p + at);
            at += 4;
        }
        if (bits & MD_LATENCY) {
            batch.latency[row] = get32(p + at);
            at += 4;
        }
        if (bits & MD_QUEUE) {
            batch.queue[row] = get32(p + at);
            at += 4;
        }
        if (bits & MD_INGRESS_TIME) {
            batch.timestamp[row] = get64(p + at);
            at += 8;
        }
        if (bits & MD_EGRESS_TIME) {
            batch.timestamp[row] = get64(p + at);
        }
        at = inner;
    } else {
        /* The dialect: a header of fixed length, and a sequence number of 16 bits in front of 6 unused ones. */
        at = 24;
        if (first >> 28 != 0 || length < at) {
            return REJECTED;
        }
        batch.sequence[row] = (group & 0x0FC00000) | (group & 0x003FFFFF) >> 6;
    }

    /* Ethernet, IPv4, and at least the ports. */
    if (at + 34 > end || get16(p + at + 12) != 0x0800) {
        return REJECTED;
    }
    at += 14;
    uint32_t version_and_length = p[at];
    if (version_and_length >> 4 != 4) {
        return REJECTED;
    }
    uint32_t protocol = p[at + 9];
    batch.source[row] = get32(p + at + 12);
    batch.destination[row] = get32(p + at + 16);
    at += 4 * (version_and_length & 0xF);
    if (at + 8 > end) {
        return REJECTED;
    }

    if (protocol == 17 && get16(p + at + 2) == INT_PORT) {
        /* Shim and INT-MD header [INT 2.1 §5.7.2, §5.8]; the shim keeps the protocol of what follows the stack. */
        at += 8;
        if (at + 16 > end) {
            return REJECTED;
        }
        uint32_t shim = get32(p + at);
        uint32_t header = get32(p + at + 4);
        uint32_t instructions = get16(p + at + 8);
        uint32_t domain = get16(p + at + 10);
        protocol = shim & 0xFF;
        if (header >> 28 != 2) {
            return REJECTED;
        }
        int hop_bytes = 4 * (header >> 8 & 0x1F);
        int stack = at + 16;
        int stack_bytes = 4 * (shim >> 16 & 0xFF) - 12;
        int source_only = 0;
        if (domain == TRANSPARENT_SECURITY) {
            /* The dialect counts the shim, and its source adds the address of the device. */
            source_only = 8;
            stack_bytes -= 4 + source_only;
        }
        if (hop_bytes == 0 || stack_bytes < 0 || stack + stack_bytes + source_only + 8 > end
                || metadata_bytes(instructions) > hop_bytes) {
            return REJECTED;
        }
        /* The stack has the newest hop first, the columns the oldest. */
        for (int from = stack + stack_bytes - hop_bytes; from >= stack; from -= hop_bytes) {
            if (hop == HOPS) {
                return REJECTED;
            }
            const uint8_t *item = p + from;
            int32_t node = ABSENT;
            int32_t interfaces = ABSENT;
            int32_t latency = ABSENT;
            int32_t queue = ABSENT;
            int64_t ingress = ABSENT;
            int64_t egress = ABSENT;
            if (instructions & MD_NODE) {
                node = get32(item);
                item += 4;
            }
            if (instructions & MD_INTERFACES) {
                interfaces = get32(item);
                item += 4;
            }
            if (instructions & MD_LATENCY) {
                latency = get32(item);
                item += 4;
            }
            if (instructions & MD_QUEUE) {
                queue = get32(item);
                item += 4;
            }
            if (instructions & MD_INGRESS_TIME) {
                ingress = get64(item);
                item += 8;
            }
            if (instructions & MD_EGRESS_TIME) {
                egress = get64(item);
            }
            batch.hop_node[hop] = node;
            batch.hop_interfaces[hop] = interfaces;
            batch.hop_latency[hop] = latency;
            batch.hop_queue[hop] = queue;
            batch.hop_ingress[hop] = ingress;
            batch.hop_egress[hop] = egress;
            hop++;
        }
        at = stack + stack_bytes + source_only;
    }
    batch.ports[row] = get32(p + at);
    batch.protocol[row] = protocol;
    batch.hop_end[row] = hop;
    return hop;
}

/* Every value at its place: a row or a hop out of order gives another sum. */
static uint64_t checksum(uint64_t sum, int rows) {
    for (int row = 0, hop = 0; row < rows; row++) {
        sum = sum * 31 + (uint32_t) batch.sequence[row];
        sum = sum * 31 + (uint32_t) batch.node[row];
        sum = sum * 31 + (uint32_t) batch.flags[row];
        sum = sum * 31 + (uint32_t) batch.interfaces[row];
        sum = sum * 31 + (uint32_t) batch.latency[row];
        sum = sum * 31 + (uint32_t) batch.queue[row];
        sum = sum * 31 + (uint32_t) batch.source[row];
        sum = sum * 31 + (uint32_t) batch.destination[row];
        sum = sum * 31 + (uint32_t) batch.ports[row];
        sum = sum * 31 + (uint32_t) batch.protocol[row];
        sum = sum * 31 + batch.timestamp[row];
        for (; hop < batch.hop_end[row]; hop++) {
            sum = sum * 31 + (uint32_t) batch.hop_node[hop];
            sum = sum * 31 + (uint32_t) batch.hop_interfaces[hop];
            sum = sum * 31 + (uint32_t) batch.hop_latency[hop];
            sum = sum * 31 + (uint32_t) batch.hop_queue[hop];
            sum = sum * 31 + batch.hop_ingress[hop];
            sum = sum * 31 + batch.hop_egress[hop];
        }
    }
    return sum;
}

struct corpus {
    uint8_t *bytes;
    long size;
};

struct tally {
    long reports;
    long rejected;
    uint64_t sum;
};

/* noinline: timed and summed passes share one copy, so that what is summed is what is timed. */
static __attribute__((noinline)) void decode_all(struct corpus corpus, int summed, struct tally *tally) {
    int row = 0;
    int hop = 0;
    for (long at = 0; at < corpus.size;) {
        int length = get16(corpus.bytes + at);
        at += 2;
        int next = decode(corpus.bytes + at, length, row, hop);
        at += length;
        tally->reports++;
        if (next == REJECTED) {
            tally->rejected++;
            continue;
        }
        hop = next;
        if (++row == ROWS) {
            if (summed) {
                tally->sum = checksum(tally->sum, row);
            }
            row = 0;
            hop = 0;
        }
    }
    if (summed) {
        tally->sum = checksum(tally->sum, row);
    }
}

static uint64_t touch_all(struct corpus corpus) {
    uint64_t sum = 0;
    for (long at = 0; at + 8 <= corpus.size; at += 64) {
        uint64_t word;
        memcpy(&word, corpus.bytes + at, sizeof word);
        sum += word;
    }
    return sum;
}

static long processor_nanos(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static struct corpus load(const char *path) {
    struct corpus corpus = {NULL, 0};
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        return corpus;
    }
    long size = ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(size);
    if (bytes != NULL && fread(bytes, 1, size, file) == (size_t) size) {
        corpus.bytes = bytes;
        corpus.size = size;
    }
    fclose(file);
    return corpus;
}

int main(int count, char **arguments) {
    struct corpus corpus = count == 2 ? load(arguments[1]) : (struct corpus) {NULL, 0};
    if (corpus.bytes == NULL) {
        fprintf(stderr, "usage: decode CORPUS\n");
        return 2;
    }
    struct tally tally = {0, 0, 0};
    decode_all(corpus, 1, &tally);
    printf("%ld %ld %016lx\n", tally.reports, tally.rejected, (unsigned long) tally.sum);
    fflush(stdout);

    volatile uint64_t keep = 0;
    char command[16];
    int passes;
    while (scanf("%15s %d", command, &passes) == 2) {
        long before = processor_nanos();
        for (int pass = 0; pass < passes; pass++) {
            if (strcmp(command, "touch") == 0) {
                keep += touch_all(corpus);
            } else {
                decode_all(corpus, 0, &tally);
            }
        }
        printf("%ld\n", processor_nanos() - before);
        fflush(stdout);
    }
    return 0;
}
