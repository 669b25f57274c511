/* A client of streams: one thread, epoll, keep-alive, every event looked at.
 *
 *     load PORT AT_ONCE REQUESTS RAMP_US TIMEOUT_S KEY DELTA ANNOTATION FINAL < REQUEST
 *
 * Sends REQUEST (a whole HTTP request) REQUESTS times over AT_ONCE connections, which begin RAMP_US apart and
 * send again as soon as they have their answer. Prints one JSON object.
 *
 * DELTA, ANNOTATION and FINAL are found in the `data:` lines that they name. The string under KEY of each delta is
 * the text: decoded from JSON and hashed in order, so that a lost, doubled, reordered or changed piece shows,
 * and a different way of escaping does not. With an empty DELTA the answer is one JSON document.
 * "#" and 16 digits in the text are the time of sending; the hash leaves the digits out.
 */
#define _GNU_SOURCE
#include "net.h"

#include <strings.h>
#include <sys/resource.h>

enum { IDLE, SENDING, HEAD, BODY };
enum { CHUNK_SIZE, CHUNK_DATA, CHUNK_END, TRAILER };

typedef struct {
  int fd, state, status, chunk;
  bool chunked, closing;
  size_t sent;
  int64_t left; /* of the body or of the chunk; -1: until the peer closes */
  int64_t began, first_event;
  Buffer head, line, size_line;
  uint64_t hash, deltas, annotations, finals;
} Stream;

typedef struct {
  uint64_t total, min, max;
} Count;

typedef struct {
  float *value;
  size_t len, cap;
} Series;

static const char *key, *delta_mark, *annotation_mark, *final_mark;
static Buffer request, text;
static struct sockaddr_in server;
static int epoll_fd, open_now, open_peak;
static long wanted, started, ended, whole, cut, refused, bad_status, without_final, other_text;
static uint64_t bytes, first_hash;
static bool have_hash;
static Count deltas = {.min = UINT64_MAX}, annotations = {.min = UINT64_MAX};
static Series first_event, delay;

static void note(Series *s, int64_t value) {
  if (s->len == s->cap) {
    s->cap = s->cap ? s->cap * 2 : 4096;
    s->value = realloc(s->value, s->cap * sizeof *s->value);
  }
  s->value[s->len++] = (float)value;
}

static void count(Count *c, uint64_t value) {
  c->total += value;
  if (value < c->min) c->min = value;
  if (value > c->max) c->max = value;
}

/* ---- the text ---- */

static void append_utf8(unsigned c) {
  char out[4];
  size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  for (size_t i = n; i-- > 1; c >>= 6) out[i] = (char)(0x80 | (c & 0x3f));
  out[0] = (char)(n == 1 ? c : ((0xf00u >> n) & 0xff) | c);
  append(&text, out, n);
}

static unsigned hex4(const char *at) {
  char digits[5] = {at[0], at[1], at[2], at[3], 0};
  return (unsigned)strtoul(digits, NULL, 16);
}

/* Decode the escape after a backslash at `at`; where it ends. */
static const char *decode_escape(const char *at, const char *end) {
  static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
  const char *plain = strchr(from, *at);
  if (*at != 'u' || end - at < 5) {
    append(&text, plain && *at ? &to[plain - from] : at, 1);
    return at + 1;
  }
  unsigned c = hex4(at + 1);
  at += 5;
  if (c >= 0xd800 && c < 0xdc00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
    c = 0x10000 + ((c & 0x3ff) << 10) + (hex4(at + 2) & 0x3ff);
    at += 6;
  }
  append_utf8(c);
  return at;
}

/* Decode the JSON string whose opening quote is before `at` into `text`; where it ends. */
static const char *decode_string(const char *at, const char *end) {
  text.len = 0;
  while (at < end && *at != '"') {
    const char *run = at;
    while (at < end && *at != '"' && *at != '\\') at++;
    append(&text, run, (size_t)(at - run));
    if (at < end && *at == '\\') at = decode_escape(at + 1, end);
  }
  return at;
}

static void hash_text(Stream *s, int64_t now) {
  for (const char *at = text.data, *end = text.data + text.len; at < end; at++) {
    s->hash = (s->hash ^ (unsigned char)*at) * 1099511628211u; /* FNV-1a */
    if (!is_stamp(at, end)) continue;
    int64_t sent = strtoll(at + 1, NULL, 10);
    if (sent) note(&delay, now - sent);
    at += STAMP_DIGITS;
  }
}

/* Take every string under the key. */
static void take_text(Stream *s, const char *data, size_t len, int64_t now) {
  const char *end = data + len;
  size_t key_len = strlen(key);
  for (const char *at = data; (at = memmem(at, (size_t)(end - at), key, key_len));) {
    at += key_len;
    while (at < end && (*at == ' ' || *at == ':')) at++;
    if (at == end || *at != '"') continue;
    at = decode_string(at + 1, end);
    hash_text(s, now);
  }
}

/* ---- the stream ---- */

static bool has(const char *data, size_t len, const char *mark) { return memmem(data, len, mark, strlen(mark)); }

static void take_line(Stream *s, const char *line, size_t len, int64_t now) {
  if (len < 5 || memcmp(line, "data:", 5)) return;
  if (!s->first_event) {
    s->first_event = now;
    if (++open_now > open_peak) open_peak = open_now;
  }
  if (has(line, len, delta_mark)) {
    s->deltas++;
    take_text(s, line, len, now);
  } else if (has(line, len, annotation_mark)) s->annotations++;
  else if (has(line, len, final_mark)) s->finals++;
}

static void take_body(Stream *s, const char *data, size_t len, int64_t now) {
  bytes += len;
  if (!*delta_mark) {
    append(&s->line, data, len);
    return;
  }
  for (const char *end = data + len; data < end;) {
    const char *newline = memchr(data, '\n', (size_t)(end - data));
    if (!newline) {
      append(&s->line, data, (size_t)(end - data));
      return;
    }
    if (s->line.len) {
      append(&s->line, data, (size_t)(newline - data));
      take_line(s, s->line.data, s->line.len, now);
      s->line.len = 0;
    } else take_line(s, data, (size_t)(newline - data), now);
    data = newline + 1;
  }
}

/* ---- HTTP ---- */

static bool take_chunk_line(Stream *s, char c) {
  if (c == '\r') return false;
  if (c != '\n') {
    append(&s->size_line, &c, 1);
    return false;
  }
  bool empty = s->size_line.len == 0;
  if (s->chunk == TRAILER && empty) return true;
  if (s->chunk == CHUNK_SIZE) {
    s->left = empty ? 0 : strtoll(s->size_line.data, NULL, 16);
    s->chunk = s->left ? CHUNK_DATA : TRAILER;
  } else if (s->chunk == CHUNK_END) s->chunk = CHUNK_SIZE;
  s->size_line.len = 0;
  return false;
}

/* True when the body is whole. */
static bool take_chunks(Stream *s, const char *data, size_t len, int64_t now) {
  while (len) {
    size_t n = 1;
    if (s->chunk != CHUNK_DATA) {
      if (take_chunk_line(s, *data)) return true;
    } else {
      n = len < (size_t)s->left ? len : (size_t)s->left;
      take_body(s, data, n, now);
      s->left -= (int64_t)n;
      if (!s->left) s->chunk = CHUNK_END;
    }
    data += n;
    len -= n;
  }
  return false;
}

static void read_head(Stream *s) {
  const char *length = strcasestr(s->head.data, "\r\ncontent-length:");
  s->status = s->head.len > 12 ? atoi(s->head.data + 9) : 0;
  s->left = length ? strtoll(length + 17, NULL, 10) : -1;
  s->chunked = strcasestr(s->head.data, "\r\ntransfer-encoding: chunked");
  s->closing = strcasestr(s->head.data, "\r\nconnection: close");
  s->chunk = CHUNK_SIZE;
  s->state = BODY;
}

/* True when the answer is whole. */
static bool take_bytes(Stream *s, const char *data, size_t len, int64_t now) {
  if (s->state == HEAD) {
    size_t had = s->head.len;
    append(&s->head, data, len);
    char *blank = memmem(s->head.data, s->head.len, "\r\n\r\n", 4);
    if (!blank) return false;
    size_t head_len = (size_t)(blank + 4 - s->head.data);
    blank[2] = 0;
    read_head(s);
    data += head_len - had;
    len -= head_len - had;
  }
  if (s->chunked) return take_chunks(s, data, len, now);
  take_body(s, data, len, now);
  if (s->left < 0) return false;
  s->left -= (int64_t)len;
  return s->left <= 0;
}

/* ---- requests ---- */

static void drop(Stream *s) {
  if (s->fd >= 0) close(s->fd);
  s->fd = -1;
  s->state = IDLE;
}

static void push(Stream *s) {
  ssize_t n = send(s->fd, request.data + s->sent, request.len - s->sent, MSG_NOSIGNAL);
  if (n > 0) s->sent += (size_t)n;
  if (s->sent < request.len) return;
  s->state = HEAD;
  watch(epoll_fd, EPOLL_CTL_MOD, s->fd, EPOLLIN, s);
}

static void dial(Stream *s) {
  s->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (s->fd < 0) fail("socket");
  no_delay(s->fd);
  (void)connect(s->fd, (void *)&server, sizeof server); /* a refusal shows at the first read */
  watch(epoll_fd, EPOLL_CTL_ADD, s->fd, EPOLLIN | EPOLLOUT, s);
}

static void start(Stream *s) {
  if (started == wanted) {
    drop(s);
    return;
  }
  started++;
  s->sent = s->head.len = s->line.len = s->size_line.len = 0;
  s->deltas = s->annotations = s->finals = 0;
  s->hash = 14695981039346656037u;
  s->first_event = 0;
  s->began = now_us();
  s->state = SENDING;
  if (s->fd < 0) dial(s); /* sends when connected */
  else {
    watch(epoll_fd, EPOLL_CTL_MOD, s->fd, EPOLLIN | EPOLLOUT, s);
    push(s);
  }
}

static void judge(Stream *s) {
  bool streamed = *delta_mark;
  if (s->status != 200) {
    bad_status++;
    return;
  }
  if (streamed && s->finals != 1) without_final++;
  else whole++;
  count(&deltas, s->deltas);
  count(&annotations, s->annotations);
  if (!have_hash) first_hash = s->hash;
  have_hash = true;
  if (s->hash != first_hash) other_text++;
}

static void finish(Stream *s, bool complete, int64_t now) {
  ended++;
  if (*delta_mark && s->first_event) open_now--;
  if (!complete) {
    if (s->state == SENDING) refused++;
    else cut++;
    drop(s);
  } else {
    if (!*delta_mark) take_text(s, s->line.data ? s->line.data : "", s->line.len, now);
    note(&first_event, (s->first_event ? s->first_event : now) - s->began);
    judge(s);
    if (s->closing) drop(s);
  }
  start(s);
}

static void ready(Stream *s, uint32_t events) {
  static char block[262144];
  if (events & EPOLLOUT && s->state == SENDING) push(s);
  if (!(events & (EPOLLIN | EPOLLHUP | EPOLLERR)) || s->fd < 0) return;
  ssize_t n = recv(s->fd, block, sizeof block, 0);
  if (n < 0 && errno == EAGAIN) return;
  int64_t now = now_us();
  if (n <= 0) finish(s, s->state == BODY && !s->chunked && s->left < 0, now);
  else if (take_bytes(s, block, (size_t)n, now)) finish(s, true, now);
}

/* ---- the report ---- */

static int by_value(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static void print_series(const char *name, Series *s) {
  if (s->len) qsort(s->value, s->len, sizeof *s->value, by_value);
  float p50 = s->len ? s->value[s->len / 2] : 0, p99 = s->len ? s->value[s->len * 99 / 100] : 0;
  printf(",\"%s\":[%.0f,%.0f]", name, p50, p99);
}

static void print_count(const char *name, const Count *c) {
  printf(",\"%s\":[%llu,%llu,%llu]", name, (unsigned long long)c->total,
         (unsigned long long)(c->min == UINT64_MAX ? 0 : c->min), (unsigned long long)c->max);
}

static void report(int64_t wall_us) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  double cpu = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
               (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
  printf("{\"requests\":%ld,\"whole\":%ld,\"cut\":%ld,\"refused\":%ld,\"bad_status\":%ld,\"without_final\":%ld,"
         "\"unfinished\":%ld,\"other_text\":%ld,\"open_peak\":%d,\"bytes\":%llu,\"text_hash\":\"%016llx\","
         "\"wall_s\":%.4f,\"own_cpu_s\":%.4f",
         wanted, whole, cut, refused, bad_status, without_final, wanted - ended, other_text, open_peak,
         (unsigned long long)bytes, (unsigned long long)first_hash, (double)wall_us / 1e6, cpu);
  print_count("deltas", &deltas);
  print_count("annotations", &annotations);
  print_series("first_event_us", &first_event);
  print_series("delay_us", &delay);
  printf("}\n");
}

static void run(int at_once, int64_t ramp_us, int64_t timeout_us) {
  static struct epoll_event events[512];
  Stream *streams = calloc((size_t)at_once, sizeof *streams);
  int64_t began = now_us(), now = began;
  for (int opened = 0; ended < wanted && now - began < timeout_us; now = now_us()) {
    while (opened < at_once && now - began >= opened * ramp_us) {
      streams[opened].fd = -1;
      start(&streams[opened++]);
    }
    int n = epoll_wait(epoll_fd, events, 512, opened < at_once ? 1 : 100);
    for (int i = 0; i < n; i++) ready(events[i].data.ptr, events[i].events);
  }
  report(now - began);
}

int main(int argc, char **argv) {
  if (argc != 10) {
    fprintf(stderr, "usage: load PORT AT_ONCE REQUESTS RAMP_US TIMEOUT_S KEY DELTA ANNOTATION FINAL < REQUEST\n");
    return 2;
  }
  settle();
  server = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1])),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  wanted = atol(argv[3]);
  key = argv[6], delta_mark = argv[7], annotation_mark = argv[8], final_mark = argv[9];
  char block[65536];
  for (size_t n; (n = fread(block, 1, sizeof block, stdin)) > 0;) append(&request, block, n);
  epoll_fd = epoll_create1(0);
  run(atoi(argv[2]), atol(argv[4]), atol(argv[5]) * 1000000);
  return 0;
}
