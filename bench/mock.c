/* A vendor that answers from files: one thread, epoll, HTTP/1.1 with keep-alive and chunks.
 *
 *     mock FILE...          FILE is VENDOR.NAME.sse or VENDOR.NAME.json
 *
 * Listens on a free port of 127.0.0.1 and prints it. The path of a POST tells the vendor, the body's
 * "model" the answer: "NAME" sends the whole stream at once, one chunk an event; "NAME-MS" sends one
 * stamped event each MS milliseconds, the first at once. A body that does not ask for a stream gets the JSON.
 *
 * A paced stream: an event with one stamp is a step, and takes the time of its sending; what stands
 * between two steps goes with the first. An event with several stamps repeats the text so far, and
 * takes the times already given, in order, so that the stream never contradicts itself.
 */
#define _GNU_SOURCE
#include "net.h"

#include <sys/queue.h>
#include <sys/timerfd.h>

#define MAX_FILES 128
#define STREAM_HEAD                                                                              \
  "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nCache-Control: no-cache\r\n" \
  "x-request-id: req_mock\r\nTransfer-Encoding: chunked\r\n\r\n"

typedef struct {
  size_t at;   /* position of the digits in the wire */
  int ordinal; /* which of the stream's times stands here */
} Stamp;

typedef struct {
  char name[96];
  Buffer wire; /* the whole HTTP answer */
  size_t *steps;
  int step_count; /* wire positions where a paced write begins; [step_count] is the end */
  Stamp *stamps;
  int stamp_count, times;
} Canned;

typedef struct Conn {
  int fd;
  bool writing; /* waiting for the socket to take more */
  Buffer in, own;
  const char *out; /* what is being sent: a canned wire, or `own` */
  size_t out_len, sent;
  const Canned *pacing; /* a paced answer under way */
  int step, stamp, given;
  int64_t period, due, *times;
  TAILQ_ENTRY(Conn) queue;
} Conn;

static Canned canned[MAX_FILES];
static int canned_count, epoll_fd, timer_fd;
static TAILQ_HEAD(Queue, Conn) pacing = TAILQ_HEAD_INITIALIZER(pacing); /* by `due` */

/* ---- the files ---- */

static Buffer read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail(path);
  Buffer all = {0};
  char block[65536];
  for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;) append(&all, block, n);
  fclose(file);
  return all;
}

/* Note the stamps of one event that begins at `event` and whose chunk begins at `chunk`. */
static void note_stamps(Canned *c, size_t chunk, size_t event) {
  const char *end = c->wire.data + c->wire.len;
  int first = c->stamp_count;
  for (const char *at = c->wire.data + event; (at = memchr(at, '#', (size_t)(end - at))); at++)
    if (is_stamp(at, end)) {
      c->stamps = realloc(c->stamps, (size_t)(c->stamp_count + 1) * sizeof *c->stamps);
      c->stamps[c->stamp_count] = (Stamp){(size_t)(at + 1 - c->wire.data), c->stamp_count - first};
      c->stamp_count++;
    }
  if (c->stamp_count - first != 1) return;
  c->stamps[first].ordinal = c->times++;
  if (c->times == 1) return; /* the first step takes the head and the preface along */
  c->steps = realloc(c->steps, (size_t)(c->step_count + 2) * sizeof *c->steps);
  c->steps[c->step_count++] = chunk;
}

static void add_chunk(Canned *c, const char *event, size_t len) {
  char size[24];
  size_t chunk = c->wire.len;
  append(&c->wire, size, (size_t)snprintf(size, sizeof size, "%zx\r\n", len));
  size_t at = c->wire.len;
  append(&c->wire, event, len);
  note_stamps(c, chunk, at);
  append(&c->wire, "\r\n", 2);
}

static void load_stream(Canned *c, Buffer body) {
  append(&c->wire, STREAM_HEAD, strlen(STREAM_HEAD));
  c->steps = calloc(2, sizeof *c->steps);
  c->step_count = 1; /* the first begins at 0 */
  for (char *at = body.data, *end = body.data + body.len; at < end;) {
    char *blank = memmem(at, (size_t)(end - at), "\n\n", 2);
    size_t len = blank ? (size_t)(blank + 2 - at) : (size_t)(end - at);
    add_chunk(c, at, len);
    at += len;
  }
  append(&c->wire, "0\r\n\r\n", 5);
  c->steps[c->step_count] = c->wire.len;
}

static void load_json(Canned *c, Buffer body) {
  char head[200];
  int n = snprintf(head, sizeof head,
                   "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nx-request-id: req_mock\r\n"
                   "Content-Length: %zu\r\n\r\n", body.len);
  append(&c->wire, head, (size_t)n);
  append(&c->wire, body.data, body.len);
}

static void load(const char *path) {
  if (canned_count == MAX_FILES) fail("too many files");
  Canned *c = &canned[canned_count++];
  const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
  snprintf(c->name, sizeof c->name, "%s", slash ? slash + 1 : path);
  Buffer body = read_file(path);
  if (dot && !strcmp(dot, ".sse")) load_stream(c, body);
  else load_json(c, body);
  free(body.data);
}

static const Canned *find(const char *name) {
  for (int i = 0; i < canned_count; i++)
    if (!strcmp(canned[i].name, name)) return &canned[i];
  return NULL;
}

/* ---- sending ---- */

static void leave_queue(Conn *c) {
  if (!c->pacing) return;
  TAILQ_REMOVE(&pacing, c, queue);
  free(c->times);
  c->times = NULL;
  c->pacing = NULL;
}

static void hang_up(Conn *c) {
  leave_queue(c);
  close(c->fd);
  free(c->in.data);
  free(c->own.data);
  free(c);
}

/* Send what waits; false when the peer has gone. */
static bool flush(Conn *c) {
  bool full = false;
  while (c->sent < c->out_len && !full) {
    ssize_t n = send(c->fd, c->out + c->sent, c->out_len - c->sent, MSG_NOSIGNAL);
    if (n > 0) c->sent += (size_t)n;
    else if (errno == EAGAIN) full = true;
    else return false;
  }
  if (full != c->writing) {
    c->writing = full;
    watch(epoll_fd, EPOLL_CTL_MOD, c->fd, full ? EPOLLIN | EPOLLOUT : EPOLLIN, c);
  }
  return true;
}

static void start_sending(Conn *c, const char *data, size_t len) {
  c->out = data;
  c->out_len = len;
  c->sent = 0;
}

/* Queue by time: from the end, since nearly every new time is the latest. */
static void enter_queue(Conn *c) {
  Conn *before;
  TAILQ_FOREACH_REVERSE(before, &pacing, Queue, queue) if (before->due <= c->due) break;
  if (before) TAILQ_INSERT_AFTER(&pacing, before, c, queue);
  else TAILQ_INSERT_HEAD(&pacing, c, queue);
}

/* Add the next step of a paced answer to what is sent. */
static void add_step(Conn *c) {
  const Canned *a = c->pacing;
  size_t from = a->steps[c->step], to = a->steps[c->step + 1];
  if (c->sent == c->out_len) c->own.len = c->sent = 0;
  size_t base = c->own.len;
  append(&c->own, a->wire.data + from, to - from);
  for (; c->stamp < a->stamp_count && a->stamps[c->stamp].at < to; c->stamp++) {
    const Stamp *s = &a->stamps[c->stamp];
    if (s->ordinal == c->given) c->times[c->given++] = now_us();
    char digits[32];
    snprintf(digits, sizeof digits, "%0*lld", STAMP_DIGITS, (long long)c->times[s->ordinal]);
    memcpy(c->own.data + base + (s->at - from), digits, STAMP_DIGITS);
  }
  c->out = c->own.data;
  c->out_len = c->own.len;
  c->step++;
}

static void start_pacing(Conn *c, const Canned *a, int64_t period) {
  c->pacing = a;
  c->step = c->stamp = c->given = 0;
  c->period = period;
  c->times = calloc((size_t)a->times + 1, sizeof *c->times);
  c->own.len = c->out_len = c->sent = 0;
  add_step(c);
  c->due = now_us() + period;
  enter_queue(c);
}

/* ---- requests ---- */

/* Copy the string value of a key of a JSON body; the first that occurs. */
static bool string_of(const char *body, const char *key, char *value, size_t cap) {
  const char *at = strstr(body, key);
  if (!at) return false;
  at += strlen(key);
  at += strspn(at, " :");
  if (*at++ != '"') return false;
  size_t len = strcspn(at, "\"");
  if (len >= cap) return false;
  memcpy(value, at, len);
  value[len] = 0;
  return true;
}

static bool asks_for_stream(const char *body) {
  const char *at = strstr(body, "\"stream\"");
  if (!at) return false;
  at += strlen("\"stream\"");
  return !strncmp(at + strspn(at, " :"), "true", 4);
}

static const char *vendor_of(const char *path) {
  if (strstr(path, "/interactions")) return "gemini";
  if (strstr(path, "/api/v3/responses")) return "ark";
  return strstr(path, "/responses") ? "openai" : "nobody";
}

static void answer(Conn *c, const char *path, const char *body) {
  static const char missing[] = "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\n"
                                "Content-Length: 38\r\n\r\n{\"error\":{\"message\":\"no such answer\"}}";
  char model[64] = "", name[96];
  string_of(body, "\"model\"", model, sizeof model);
  bool stream = asks_for_stream(body);
  char *dash = strrchr(model, '-');
  long period_ms = dash ? atol(dash + 1) : 0;
  if (dash) *dash = 0;
  snprintf(name, sizeof name, "%s.%s.%s", vendor_of(path), model, stream ? "sse" : "json");
  const Canned *a = find(name);
  if (!a) start_sending(c, missing, sizeof missing - 1);
  else if (stream && period_ms > 0) start_pacing(c, a, period_ms * 1000);
  else start_sending(c, a->wire.data, a->wire.len);
}

/* Length of the whole first request in `in`, 0 while it is incomplete; `body` is where its body begins. */
static size_t request_length(const Buffer *in, size_t *body) {
  char *blank = in->len ? memmem(in->data, in->len, "\r\n\r\n", 4) : NULL;
  if (!blank) return 0;
  *body = (size_t)(blank + 4 - in->data);
  *blank = 0; /* keep the search for headers within the head */
  const char *length = strcasestr(in->data, "\r\ncontent-length:");
  bool chunked = strcasestr(in->data, "\r\ntransfer-encoding: chunked");
  size_t total = *body + (length ? strtoul(length + 17, NULL, 10) : 0);
  *blank = '\r';
  if (chunked) {
    char *last = memmem(blank, in->len - (size_t)(blank - in->data), "\r\n0\r\n\r\n", 7);
    return last ? (size_t)(last + 7 - in->data) : 0;
  }
  return in->len >= total ? total : 0;
}

/* Answer the requests that are whole, one after the other; false when the peer has gone. */
static bool serve(Conn *c) {
  size_t body, total;
  while (!c->pacing && c->sent == c->out_len && (total = request_length(&c->in, &body))) {
    char kept = c->in.data[total], path[256] = "";
    c->in.data[total] = 0;
    sscanf(c->in.data, "%*s %255s", path);
    answer(c, path, c->in.data + body);
    c->in.data[total] = kept;
    consume(&c->in, total);
    if (!flush(c)) return false;
  }
  return true;
}

static bool receive(Conn *c) {
  reserve(&c->in, 16384);
  ssize_t n = recv(c->fd, c->in.data + c->in.len, 16384, 0);
  if (n <= 0) return n < 0 && errno == EAGAIN;
  c->in.len += (size_t)n;
  c->in.data[c->in.len] = 0;
  return true;
}

/* ---- the loop ---- */

static void accept_all(int listener) {
  for (int fd; (fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0;) {
    Conn *c = calloc(1, sizeof *c);
    c->fd = fd;
    no_delay(fd);
    watch(epoll_fd, EPOLL_CTL_ADD, fd, EPOLLIN, c);
  }
}

static void take_due_steps(void) {
  int64_t now = now_us();
  for (Conn *c; (c = TAILQ_FIRST(&pacing)) && c->due <= now;) {
    add_step(c);
    if (c->step == c->pacing->step_count) leave_queue(c);
    else {
      TAILQ_REMOVE(&pacing, c, queue);
      c->due += c->period;
      enter_queue(c);
    }
    if (!flush(c) || !serve(c)) hang_up(c);
  }
}

static void set_timer(void) {
  static int64_t armed;
  Conn *next = TAILQ_FIRST(&pacing);
  if (!next || next->due == armed) return;
  armed = next->due;
  struct itimerspec at = {.it_value = {armed / 1000000, armed % 1000000 * 1000}};
  timerfd_settime(timer_fd, TFD_TIMER_ABSTIME, &at, NULL);
}

static void take(Conn *c, uint32_t events) {
  bool alive = true;
  if (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) alive = receive(c);
  if (alive && events & EPOLLOUT) alive = flush(c);
  if (!alive || !serve(c)) hang_up(c);
}

static int listen_anywhere(void) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t len = sizeof at;
  if (bind(fd, (void *)&at, len) || listen(fd, 4096) || getsockname(fd, (void *)&at, &len)) fail("listen");
  printf("%d\n", ntohs(at.sin_port));
  fflush(stdout);
  return fd;
}

int main(int argc, char **argv) {
  settle();
  for (int i = 1; i < argc; i++) load(argv[i]);
  epoll_fd = epoll_create1(0);
  timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  int listener = listen_anywhere();
  watch(epoll_fd, EPOLL_CTL_ADD, listener, EPOLLIN, &listener);
  watch(epoll_fd, EPOLL_CTL_ADD, timer_fd, EPOLLIN, &timer_fd);
  static struct epoll_event ready[512];
  for (;;) {
    int n = epoll_wait(epoll_fd, ready, 512, -1);
    for (int i = 0; i < n; i++) {
      uint64_t ticks;
      void *owner = ready[i].data.ptr;
      if (owner == &listener) accept_all(listener);
      else if (owner == &timer_fd) (void)!read(timer_fd, &ticks, sizeof ticks);
      else take(owner, ready[i].events);
    }
    take_due_steps();
    set_timer();
  }
}
