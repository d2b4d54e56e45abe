/*
 * The baseline of ./bench replay: a sender of UDP datagrams over loopback, and the receiver that all senders share.
 *
 *   replay sink                       prints its port; answers each line with the datagrams received since the last
 *   replay send PORT LENGTH SEGMENTS  prints "ready"; "send N" sends N datagrams and prints the nanoseconds it took
 *
 * SEGMENTS datagrams go as one message that the kernel cuts up (UDP_SEGMENT); 1 for plain sendmmsg.
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

enum { BATCH = 64, BUFFER = 4 << 20, LONGEST = 2048 };

static void die(const char *what) {
    perror(what);
    exit(1);
}

static long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static int sink(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    int bytes = BUFFER;
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) || getsockname(fd, (struct sockaddr *)&address, &size))
        die("socket");
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);

    static char room[BATCH][LONGEST];
    static struct iovec vectors[BATCH];
    static struct mmsghdr messages[BATCH];
    for (int i = 0; i < BATCH; i++) {
        vectors[i] = (struct iovec){room[i], LONGEST};
        messages[i].msg_hdr.msg_iov = &vectors[i];
        messages[i].msg_hdr.msg_iovlen = 1;
    }
    long received = 0;
    for (;;) {
        int n = recvmmsg(fd, messages, BATCH, MSG_DONTWAIT, NULL);
        if (n > 0) {
            received += n;
            continue;
        }
        struct pollfd both[2] = {{.fd = fd, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
        poll(both, 2, -1);
        if (both[1].revents && !(both[0].revents & POLLIN)) {
            char line[64];
            if (read(0, line, sizeof line) <= 0) return 0;
            printf("%ld\n", received);
            fflush(stdout);
            received = 0;
        }
    }
}

static int sender(int port, int length, int segments) {
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    int bytes = BUFFER;
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to)) die("socket");
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    if (segments > 1 && setsockopt(fd, IPPROTO_UDP, UDP_SEGMENT, &length, sizeof length)) die("UDP_SEGMENT");

    char *data = calloc((size_t)BATCH * segments, length);
    char *source = calloc((size_t)BATCH * segments, length);
    struct iovec vectors[BATCH];
    struct mmsghdr messages[BATCH];
    memset(messages, 0, sizeof messages);
    for (int i = 0; i < BATCH; i++) {
        messages[i].msg_hdr.msg_iov = &vectors[i];
        messages[i].msg_hdr.msg_iovlen = 1;
    }
    puts("ready");
    fflush(stdout);
    long wanted;
    while (scanf(" send %ld", &wanted) == 1) {
        long start = now();
        for (long sent = 0; sent < wanted;) {
            long batch = wanted - sent < (long)BATCH * segments ? wanted - sent : (long)BATCH * segments;
            for (long i = 0; i < batch; i++) memcpy(data + i * length, source + i * length, length);
            int count = 0;
            for (long at = 0; at < batch; at += segments, count++) {
                long here = batch - at < segments ? batch - at : segments;
                vectors[count] = (struct iovec){data + at * length, here * length};
            }
            for (int done = 0; done < count;) {
                int n = sendmmsg(fd, messages + done, count - done, 0);
                if (n < 0 && errno != EINTR && errno != ENOBUFS) die("sendmmsg");
                if (n > 0) done += n;
            }
            sent += batch;
        }
        printf("%ld\n", now() - start);
        fflush(stdout);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "sink")) return sink();
    if (argc == 5 && !strcmp(argv[1], "send")) return sender(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]));
    fprintf(stderr, "replay sink | replay send PORT LENGTH SEGMENTS\n");
    return 2;
}
