/*
 * The baseline of ./bench load: a receiver that does nothing but receive, and the sender that all receivers share.
 *
 *   load receive bare|told drain|live        prints its port; "told" also asks the kernel for times and source addresses
 *       drain: "drain N" reads N datagrams that wait; prints how many there were, the processor time it took in
 *              nanoseconds, and the bytes allocated, which are none
 *       live:  reads whatever comes; answers each line with the datagrams read so far, and how many it lost, none
 *   load send PORT CORPUS EXPORTERS STREAMS SEGMENTS FLOWS OFFSET      prints "ready"
 *       "send N" sends N datagrams, "pace RATE N" so many a second; prints how many were sent and the time it took.
 *       A sender that was kept from sending makes up for it with a short burst only: the time is then longer.
 *
 * SEGMENTS datagrams go as one message that the kernel cuts up (UDP_SEGMENT), so the sender is not what limits. CORPUS holds
 * v2.0 reports of one length, each behind its length in two octets; node, hw_id and sequence number are written anew: there
 * are STREAMS of them, divided among EXPORTERS that are addresses from 127.1.0.1 up, and each stream counts for itself. Unless
 * FLOWS is 0, the four octets at OFFSET, the source of the packet inside, go through that many values.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

enum { BATCH = 64, BUFFER = 4 << 20, LONGEST = 2048, CONTROL = 128, PATIENCE_MILLIS = 200, BURST = 1000 };

static void die(const char *what) {
    perror(what);
    exit(1);
}

static int64_t nanos(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

/* ---- receiver */

static char room[BATCH][LONGEST];
static char controls[BATCH][CONTROL];
static struct sockaddr_in names[BATCH];
static struct iovec vectors[BATCH];
static struct mmsghdr messages[BATCH];
static uint64_t touched;

static int open_receiver(int told) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    int bytes = BUFFER;
    int one = 1;
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) || getsockname(fd, (struct sockaddr *)&address, &size))
        die("socket");
    if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes))
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    if (told && setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one)) die("SO_TIMESTAMPNS");
    for (int i = 0; i < BATCH; i++) {
        vectors[i] = (struct iovec){room[i], LONGEST};
        messages[i].msg_hdr.msg_iov = &vectors[i];
        messages[i].msg_hdr.msg_iovlen = 1;
        if (told) {
            messages[i].msg_hdr.msg_name = &names[i];
            messages[i].msg_hdr.msg_control = controls[i];
        }
    }
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return fd;
}

static int receive(int fd, int told) {
    if (told) {
        for (int i = 0; i < BATCH; i++) {
            messages[i].msg_hdr.msg_namelen = sizeof names[i];
            messages[i].msg_hdr.msg_controllen = CONTROL;
        }
    }
    int n = recvmmsg(fd, messages, BATCH, MSG_DONTWAIT, NULL);
    for (int i = 0; i < n; i++) {
        uint32_t first;
        memcpy(&first, room[i], sizeof first);
        touched += first + messages[i].msg_len;
    }
    return n;
}

static int drain(int told) {
    int fd = open_receiver(told);
    long wanted;
    while (scanf(" drain %ld", &wanted) == 1) {
        long received = 0;
        int64_t start = nanos(CLOCK_THREAD_CPUTIME_ID);
        int64_t spent = 0;
        while (received < wanted) {
            int n = receive(fd, told);
            if (n > 0) {
                received += n;
                continue;
            }
            spent += nanos(CLOCK_THREAD_CPUTIME_ID) - start;
            struct pollfd socket = {.fd = fd, .events = POLLIN};
            int more = poll(&socket, 1, PATIENCE_MILLIS);
            start = nanos(CLOCK_THREAD_CPUTIME_ID);
            if (more == 0) break;
        }
        spent += nanos(CLOCK_THREAD_CPUTIME_ID) - start;
        printf("%ld %ld 0\n", received, (long)spent);
        fflush(stdout);
    }
    return touched == 1;
}

static int live(int told) {
    int fd = open_receiver(told);
    long received = 0;
    for (;;) {
        int n = receive(fd, told);
        if (n > 0) {
            received += n;
            continue;
        }
        struct pollfd both[2] = {{.fd = fd, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
        poll(both, 2, -1);
        if (both[1].revents && !(both[0].revents & POLLIN)) {
            char line[64];
            if (read(0, line, sizeof line) <= 0) return touched == 1;
            printf("%ld 0\n", received);
            fflush(stdout);
        }
    }
}

/* ---- sender */

struct exporter {
    int fd;
    int streams;
    int next;
};

static struct {
    struct exporter *exporters;
    int exporter_count;
    uint32_t *sequences; /* stream i of exporter e is at i * exporter_count + e */
    unsigned char *reports;
    long report_count;
    long position;
    int length;
    int segments;
    int turn;
    uint32_t flows;
    uint32_t flow;
    int flow_offset;
} sending;

static void read_corpus(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) die(path);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    unsigned char length[2];
    if (fread(length, 1, 2, file) != 2) die(path);
    sending.length = length[0] << 8 | length[1];
    sending.report_count = size / (2 + sending.length) / sending.segments * sending.segments;
    sending.reports = malloc(sending.report_count * sending.length);
    for (long i = 0; i < sending.report_count; i++) {
        if (i > 0 && fread(length, 1, 2, file) != 2) die(path);
        if (fread(sending.reports + i * sending.length, 1, sending.length, file) != (size_t)sending.length) die(path);
    }
    fclose(file);
}

static void open_exporters(int port, int streams) {
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    sending.exporters = calloc(sending.exporter_count, sizeof *sending.exporters);
    sending.sequences = calloc(streams + sending.exporter_count, sizeof *sending.sequences);
    for (int i = 0; i < sending.exporter_count; i++) {
        struct exporter *exporter = &sending.exporters[i];
        struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7F010001 + i)};
        int bytes = BUFFER;
        exporter->streams = (streams - i + sending.exporter_count - 1) / sending.exporter_count;
        exporter->fd = socket(AF_INET, SOCK_DGRAM, 0);
        if (exporter->fd < 0 || bind(exporter->fd, (struct sockaddr *)&from, sizeof from)
            || connect(exporter->fd, (struct sockaddr *)&to, sizeof to))
            die("socket");
        setsockopt(exporter->fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
        if (setsockopt(exporter->fd, IPPROTO_UDP, UDP_SEGMENT, &sending.length, sizeof sending.length))
            die("UDP_SEGMENT");
    }
}

/* Group header of a v2.0 report: version, hw_id and sequence number; node. */
static void number(unsigned char *report, int exporter, int stream) {
    uint32_t sequence = sending.sequences[stream * sending.exporter_count + exporter]++;
    uint32_t words[2] = {
        htonl(2u << 28 | (stream & 63) << 22 | (sequence & 0x3FFFFF)),
        htonl(1 + exporter + sending.exporter_count * (stream >> 6))};
    memcpy(report, words, sizeof words);
}

static void source(unsigned char *report) {
    uint32_t address = htonl(0x0A000000u + sending.flow);
    memcpy(report + sending.flow_offset, &address, sizeof address);
    /* A prime larger than any number of flows: each has its turn before one comes again. */
    sending.flow = (sending.flow + 1000000007ull) % sending.flows;
}

/* One message, of the exporter whose turn it is. */
static long message(long most) {
    int count = most < sending.segments ? (int)most : sending.segments;
    int turn = sending.turn;
    struct exporter *exporter = &sending.exporters[turn];
    sending.turn = turn + 1 == sending.exporter_count ? 0 : turn + 1;
    unsigned char *reports = sending.reports + sending.position * sending.length;
    sending.position += sending.segments;
    if (sending.position == sending.report_count) sending.position = 0;
    for (int i = 0; i < count; i++) {
        number(reports + i * sending.length, turn, exporter->next);
        if (sending.flows) source(reports + i * sending.length);
        exporter->next = exporter->next + 1 == exporter->streams ? 0 : exporter->next + 1;
    }
    while (send(exporter->fd, reports, (size_t)count * sending.length, 0) < 0)
        if (errno != EINTR && errno != ENOBUFS) die("send");
    return count;
}

static int sender(int port, const char *corpus, int exporters, int streams, int segments) {
    sending.exporter_count = exporters;
    sending.segments = segments;
    read_corpus(corpus);
    open_exporters(port, streams);
    puts("ready");
    fflush(stdout);
    char line[128];
    while (fgets(line, sizeof line, stdin)) {
        long rate, wanted, sent = 0;
        int64_t start = nanos(CLOCK_MONOTONIC);
        if (sscanf(line, "send %ld", &wanted) == 1) {
            while (sent < wanted) sent += message(wanted - sent);
        } else if (sscanf(line, "pace %ld %ld", &rate, &wanted) == 2) {
            int64_t slipped = 0;
            while (sent < wanted) {
                int64_t due = start + slipped + (int64_t)(sent * 1e9 / rate);
                int64_t now;
                while ((now = nanos(CLOCK_MONOTONIC)) < due) {}
                int64_t slack = (int64_t)(BURST * 1e9 / rate);
                if (now - due > slack) slipped += now - due - slack;
                sent += message(wanted - sent);
            }
        }
        printf("%ld %ld\n", sent, (long)(nanos(CLOCK_MONOTONIC) - start));
        fflush(stdout);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 4 && !strcmp(argv[1], "receive")) {
        int told = !strcmp(argv[2], "told");
        return !strcmp(argv[3], "drain") ? drain(told) : live(told);
    }
    if (argc == 9 && !strcmp(argv[1], "send")) {
        sending.flows = (uint32_t)atol(argv[7]);
        sending.flow_offset = atoi(argv[8]);
        return sender(atoi(argv[2]), argv[3], atoi(argv[4]), atoi(argv[5]), atoi(argv[6]));
    }
    fprintf(stderr, "load receive bare|told drain|live | load send PORT CORPUS EXPORTERS STREAMS SEGMENTS FLOWS OFFSET\n");
    return 2;
}
