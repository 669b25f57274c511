/* What the mock and the load generator share: a clock, a growing buffer, epoll in one line. */
#ifndef BENCH_NET_H
#define BENCH_NET_H

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#define STAMP_DIGITS 16 /* "#" and so many digits: a time in microseconds */

static inline void fail(const char *what) {
  perror(what);
  exit(2);
}

/* Microseconds of a clock that both programs read. */
static inline int64_t now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

typedef struct {
  char *data; /* always NUL-terminated once something was added */
  size_t len, cap;
} Buffer;

static inline void reserve(Buffer *b, size_t more) {
  if (b->len + more + 1 <= b->cap) return;
  b->cap = (b->len + more + 1) * 2;
  b->data = realloc(b->data, b->cap);
  if (!b->data) fail("memory");
}

static inline void append(Buffer *b, const char *data, size_t len) {
  reserve(b, len);
  memcpy(b->data + b->len, data, len);
  b->len += len;
  b->data[b->len] = 0;
}

/* Drop the first `len` bytes. */
static inline void consume(Buffer *b, size_t len) {
  memmove(b->data, b->data + len, b->len - len + 1);
  b->len -= len;
}

/* Is a stamp at `at`? */
static inline bool is_stamp(const char *at, const char *end) {
  if (at >= end || *at != '#' || end - at < 1 + STAMP_DIGITS) return false;
  for (int i = 1; i <= STAMP_DIGITS; i++)
    if (at[i] < '0' || at[i] > '9') return false;
  return true;
}

static inline void watch(int epoll, int op, int fd, uint32_t events, void *owner) {
  struct epoll_event event = {.events = events, .data.ptr = owner};
  if (epoll_ctl(epoll, op, fd, &event) < 0) fail("epoll_ctl");
}

static inline void no_delay(int fd) {
  int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/* End with the parent, and take a vanished peer as an error of send(), not as a signal. */
static inline void settle(void) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  signal(SIGPIPE, SIG_IGN);
}

#endif
