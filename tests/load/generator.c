// The load: players and spectators who know only the wire (docs/protocol.md), one thread, epoll, loopback only.
//
//   generator --port P --mode match|echo --matches M --players 4 --spectators 2 [--holes H] [--rate R]
//             [--seconds S] [--warm S] [--seed N]
//
// `match` plays at the real server: greet, host, join, watch, ready, then any one of the moves that `you.moves` offers
// (and now and then an undo). `echo` sends the same messages to a server that repeats them to a match's six
// connections. With --rate 0 a player moves as soon as it has heard of its own last move; else R times a second on a
// fixed schedule, and latency counts from the scheduled time.
//
// Commands on stdin, one a line, each answered by a line: CONNECT, ENTER, ONE (a move each), RUN, FINISH (give up until
// every match has ended), QUIT. It draws no conclusion: load_run.py measures around it.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTING, GREETING, GREETED, ENTERING, IN, DEAD };
enum { RING = 512, FINE = 64, BUCKETS = FINE * 48, OPENING_AT_ONCE = 48 };

typedef struct { uint64_t count[BUCKETS], n, max; } hist;
typedef struct {
  int fd, match, seat, state;                   // seat -1: spectator
  char *kept; int kept_len, kept_cap;           // an unfinished frame
  uint32_t seq, waiting_seq; int is_move;       // the command that has no answer yet, 0: none
  uint64_t sent_at, oldest_due; int owed;       // on a schedule: moves that fell due while one was unanswered
  char moves[768]; int n_moves, can_undo, can_done, ended, said_next, said_ready, moved_once;
  long stock, move_count, undo_count;
} conn;
typedef struct { uint64_t version, sent_at; int n; uint64_t heard[8]; char is_player[8]; } slot;
typedef struct { char id[32]; int hole, playing, between, over, all_in; slot ring[RING]; } match;

static conn *C; static match *M; static int n_conns, n_matches = 1, players = 4, spectators = 2, holes = 3, per;
static int echo_mode, port, ep, n_in, n_greeted, n_over, running, measuring, finishing, entering;
static double rate, seconds = 2, warm = 0.5;
static hist own, rivals, watchers;
static uint64_t moves, heard, refused, dead, bytes_in, messages, errors, t_begin, t_end, token_seed = 1;

static uint64_t now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000ull + t.tv_nsec; }
static double cpu(void) {
  struct rusage r; getrusage(RUSAGE_SELF, &r);
  return r.ru_utime.tv_sec + r.ru_stime.tv_sec + (r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e6;
}
static void die(const char *what) { perror(what); exit(2); }
static void add(hist *h, uint64_t ns) {
  int b = ns;
  if (ns >= FINE) { int e = 63 - __builtin_clzll(ns); b = (e - 5) * FINE + (int)((ns >> (e - 6)) & (FINE - 1)); }
  h->count[b < BUCKETS ? b : BUCKETS - 1]++; h->n++; if (ns > h->max) h->max = ns;
}
static double ms_at(hist *h, double q) {
  uint64_t want = q * h->n, sum = 0;
  for (int b = 0; b < BUCKETS && h->n; b++) if ((sum += h->count[b]) > want) {
    int e = b / FINE + 5; return (b < FINE ? b : (double)((1ull << e) + ((uint64_t)(b % FINE) << (e - 6)))) / 1e6;
  }
  return 0;
}

// -- just enough JSON: compact, as the server writes it
static const char *skip(const char *p) {
  if (*p == '"') { for (p++; *p && *p != '"'; p++) if (*p == '\\') p++; return *p ? p + 1 : p; }
  if (*p != '{' && *p != '[') { while (*p && *p != ',' && *p != '}' && *p != ']') p++; return p; }
  int depth = 0;
  do {
    if (*p == '"') { p = skip(p); continue; }
    if (*p == '{' || *p == '[') depth++; else if (*p == '}' || *p == ']') depth--;
    p++;
  } while (depth && *p);
  return p;
}
static const char *get(const char *p, const char *key) {  // a field of an object, or 0
  if (!p || *p != '{') return 0;
  size_t n = strlen(key);
  for (p++; *p == '"'; p += *p == ',') {
    const char *name = p + 1; p = skip(p); int hit = (size_t)(p - 1 - name) == n && !memcmp(name, key, n);
    if (*p++ != ':') return 0;
    if (hit) return p;
    p = skip(p);
  }
  return 0;
}
static void number(const char *p, long *to) { if (p && (*p == '-' || (*p >= '0' && *p <= '9'))) *to = atol(p); }
static void truth(const char *p, int *to) { if (p) *to = *p == 't'; }

// -- saying
static void say(conn *c, int op, const char *text, int n) {
  static const uint8_t key[4] = {0x12, 0x34, 0x56, 0x78}; uint8_t o[2048]; int h = 2;
  if (n > 1900) exit(3);
  o[0] = 0x80 | op;
  if (n < 126) o[1] = 0x80 | n; else { o[1] = 0x80 | 126; o[2] = n >> 8; o[3] = n; h = 4; }
  memcpy(o + h, key, 4); h += 4;
  for (int i = 0; i < n; i++) o[h + i] = text[i] ^ key[i & 3];
  if (send(c->fd, o, h + n, MSG_NOSIGNAL) != h + n) errors++;
}
#define SAY(c, ...) do { char s_[1024]; say(c, 1, s_, snprintf(s_, sizeof s_, __VA_ARGS__)); } while (0)
static void token(conn *c, char *to) {
  uint64_t a = (token_seed + 1) * 0x9e3779b97f4a7c15ull ^ (uint64_t)c->match << 20 ^ (uint64_t)(c->seat + 2), b = a * 0xbf58476d1ce4e5b9ull;
  sprintf(to, "%016llx%016llx", (unsigned long long)(a ^ b >> 29), (unsigned long long)(b ^ a << 7));
}
static void enter(conn *c) {
  if (c->state != GREETED || !entering) return;
  match *m = &M[c->match]; char t[40]; token(c, t);
  if (c->seat == 0) SAY(c, "{\"t\":\"host\",\"name\":\"P0\",\"token\":\"%s\",\"options\":{\"holes\":%d,\"hole_seconds\":900,\"seats\":%d}}", t, holes, players);
  else if (!*m->id) return;
  else if (c->seat < 0) SAY(c, "{\"t\":\"watch\",\"match\":\"%s\"}", m->id);
  else SAY(c, "{\"t\":\"join\",\"name\":\"P%d\",\"token\":\"%s\",\"match\":\"%s\"}", c->seat, t, m->id);
  c->state = ENTERING;
}
static void begin(conn *c, int is_move, uint64_t due) { c->waiting_seq = ++c->seq; c->is_move = is_move; c->sent_at = due; messages += measuring; }
static int act(conn *c, uint64_t due) {  // one command if there is something to do: 1 if it was a move
  if (c->waiting_seq || c->state != IN || c->seat < 0) return 0;
  if (echo_mode) {
    begin(c, 1, due);
    SAY(c, "{\"t\":\"play\",\"seq\":%u,\"source\":\"column.%d\",\"target\":\"waste\",\"card\":\"9C\"}", c->seq, 1 + c->seq % 7);
    return 1;
  }
  match *m = &M[c->match];
  if (m->between && !c->said_next && m->hole < holes) { begin(c, 0, due); c->said_next = 1; SAY(c, "{\"t\":\"next\",\"seq\":%u,\"hole\":%d}", c->seq, m->hole); return 0; }
  if (!m->playing || c->ended) return 0;
  if (finishing) { begin(c, 0, due); SAY(c, "{\"t\":\"give_up\",\"seq\":%u,\"hole\":%d}", c->seq, m->hole); return 0; }
  if (c->can_done) { begin(c, 0, due); SAY(c, "{\"t\":\"done\",\"seq\":%u,\"hole\":%d}", c->seq, m->hole); return 0; }
  if (c->can_undo && rand() % 16 == 0 && c->undo_count < 100) {
    begin(c, 1, due); SAY(c, "{\"t\":\"undo\",\"seq\":%u,\"moves\":%ld,\"undos\":%ld}", c->seq, c->move_count, c->undo_count); return 1; }
  if (!c->n_moves) return 0;
  const char *p = c->moves + 1;
  for (int i = rand() % c->n_moves; i > 0; i--) p = skip(p) + 1;
  begin(c, 1, due);
  if (!memcmp(p, "[\"stock\"", 8)) SAY(c, "{\"t\":\"draw\",\"seq\":%u,\"stock\":%ld}", c->seq, c->stock);
  else {
    const char *source = p + 1, *target = skip(source) + 1, *card = skip(target) + 1;
    SAY(c, "{\"t\":\"play\",\"seq\":%u,\"source\":%.*s,\"target\":%.*s,\"card\":%.*s}", c->seq, (int)(target - 1 - source), source,
        (int)(card - 1 - target), target, (int)(skip(card) - card), card);
  }
  return 1;
}
static void go_on(conn *c) {
  if (c->waiting_seq) return;
  if (rate == 0 && running) act(c, now());
  else if (finishing || M[c->match].between) act(c, now());
  else if (running && c->owed) { uint64_t due = c->oldest_due; c->owed--; c->oldest_due += 1e9 / rate; act(c, due); }
}

// -- hearing
static void take(conn *c, const char *root) {  // a view or a patch
  match *m = &M[c->match]; const char *p, *you = get(root, "you"); char seat[16];
  if ((p = get(root, "match"))) {
    const char *q = get(p, "phase"); long hole = m->hole;
    number(get(p, "hole"), &hole); m->hole = hole;
    if (q) {
      m->playing = !memcmp(q, "\"playing", 8); m->between = !memcmp(q, "\"between", 8);
      if (!memcmp(q, "\"ended", 6) && !m->over) { m->over = 1; n_over++; }
    }
    if (m->between == 0) c->said_next = 0;
    if ((q = get(p, "id")) && !*m->id) { sscanf(q, "\"%26[^\"]", m->id); for (int i = 0; i < per; i++) enter(&C[c->match * per + i]); }
  }
  if (c->seat < 0) return;
  if ((p = get(you, "seat"))) c->seat = atoi(p);  // not the number it came by: who joins at once sits down in any order
  sprintf(seat, "%d", c->seat);
  if ((p = get(get(root, "seats"), seat))) { number(get(p, "stock"), &c->stock); truth(get(p, "ended"), &c->ended); }
  if (you) {
    number(get(you, "move_count"), &c->move_count); number(get(you, "undo_count"), &c->undo_count);
    truth(get(you, "undo"), &c->can_undo); truth(get(you, "done"), &c->can_done);
    if ((p = get(you, "next_seq"))) c->seq = atol(p) - 1;
    if ((p = get(you, "moves"))) {
      const char *end = skip(p); int n = end - p < (int)sizeof c->moves ? end - p : 0;
      memcpy(c->moves, p, n); c->moves[n] = 0; c->n_moves = 0;
      for (const char *q = p + 1; *q == '['; q += *q == ',') { q = skip(q); c->n_moves++; }
    }
  }
}
static void note(conn *c, uint64_t version, int mine, uint64_t at) {
  slot *s = &M[c->match].ring[version % RING];
  if (s->version != version) *s = (slot){.version = version};
  if (mine) {
    s->sent_at = c->sent_at;
    if (measuring) { add(&own, at - c->sent_at); moves++; for (int i = 0; i < s->n; i++) add(s->is_player[i] ? &rivals : &watchers, s->heard[i] > s->sent_at ? s->heard[i] - s->sent_at : 0); }
  } else if (s->sent_at) { if (measuring) add(c->seat >= 0 ? &rivals : &watchers, at > s->sent_at ? at - s->sent_at : 0); }
  else if (s->n < 8) { s->is_player[s->n] = c->seat >= 0; s->heard[s->n++] = at; }
}
static void entry(conn *c, char *d, int n, uint64_t at) {
  uint64_t version = strtoull(d + 13, 0, 10); const char *p = strchr(d + 13, ','); int mine = 0;
  if (measuring) heard++;
  if (p && !memcmp(p, ",\"player\":", 10)) mine = atoi(p + 10) == c->seat;
  else if (p && !memcmp(p, ",\"seq\":", 7)) mine = 1;
  if (echo_mode) { note(c, version, mine, at); if (mine) { c->waiting_seq = 0; c->moved_once = 1; go_on(c); } return; }
  int was_move = mine && c->is_move;
  if (mine || memmem(d, n, "\"you\":", 6) || memmem(d, n, "\"match\":{", 9)) take(c, d);
  if (!mine || was_move) note(c, version, was_move, at);
  if (mine) { c->waiting_seq = 0; c->moved_once |= was_move; }
  go_on(c);
}
static void message(conn *c, char *d, int n, uint64_t at) {
  if (!memcmp(d, "{\"t\":\"e\",\"v\":", 13)) { entry(c, d, n, at); return; }
  if (!memcmp(d, "{\"t\":\"welcome\"", 14)) { c->state = GREETED; n_greeted++; if (echo_mode) { c->state = IN; n_in++; } enter(c); return; }
  if (!memcmp(d, "{\"t\":\"snapshot\"", 15)) {
    take(c, get(d, "view"));
    if (c->state == ENTERING) { c->state = IN; n_in++; }
    if (c->seat >= 0 && !c->said_ready) { c->said_ready = 1; begin(c, 0, now()); SAY(c, "{\"t\":\"ready\",\"seq\":%u,\"ready\":true}", c->seq); }
    return;
  }
  if (!memcmp(d, "{\"t\":\"refused\"", 14)) { refused++; if (refused < 4) fprintf(stderr, "%.300s\n", d); c->waiting_seq = 0; if (strstr(d, "\"stale\"") == 0) go_on(c); return; }
  if (!memcmp(d, "{\"t\":\"error\"", 12)) { errors++; if (errors < 4) fprintf(stderr, "%.300s\n", d); }
}
static void lost(conn *c, const char *why) {
  if (c->state == DEAD) return;
  dead++; c->state = DEAD; epoll_ctl(ep, EPOLL_CTL_DEL, c->fd, 0);
  if (dead < 4) fprintf(stderr, "match %d seat %d: %s\n", c->match, c->seat, why);
}
static int frames(conn *c, char *p, int n, uint64_t at) {  // returns the bytes used
  int used = 0;
  while (n - used >= 2 && c->state != DEAD) {
    uint8_t *f = (uint8_t *)p + used; int h = 2; uint64_t len = f[1] & 127;
    if (len == 126) { if (n - used < 4) break; len = f[2] << 8 | f[3]; h = 4; }
    else if (len == 127) { if (n - used < 10) break; len = 0; for (int i = 2; i < 10; i++) len = len << 8 | f[i]; h = 10; }
    if ((uint64_t)(n - used) < h + len) break;
    char *d = (char *)f + h, after = d[len]; int op = f[0] & 15;
    d[len] = 0;
    if (op == 1) message(c, d, len, at); else if (op == 9) say(c, 10, d, len); else if (op == 8) lost(c, "closed by the server");
    d[len] = after; used += h + len;
  }
  return used;
}
static void readable(conn *c) {
  static char buf[1 << 20];
  if (c->state == DEAD) return;
  if (c->kept_len) memcpy(buf, c->kept, c->kept_len);
  int n = recv(c->fd, buf + c->kept_len, sizeof buf - c->kept_len - 1, 0);
  if (n <= 0) { if (n == 0 || errno != EAGAIN) lost(c, "the line ended"); return; }
  uint64_t at = now(); if (measuring) bytes_in += n;
  int total = c->kept_len + n, used = 0; c->kept_len = 0; buf[total] = 0;
  if (c->state == CONNECTING) {
    char *e = memmem(buf, total, "\r\n\r\n", 4);
    if (e) {
      if (!memmem(buf, 16, " 101", 4)) { fprintf(stderr, "no upgrade: %.200s\n", buf); exit(3); }
      c->state = GREETING; used = e + 4 - buf;
      if (!echo_mode) SAY(c, "{\"t\":\"hello\",\"protocol\":1}");
    }
  }
  if (c->state > CONNECTING) used += frames(c, buf + used, total - used, at);
  int left = total - used;
  if (left > 0) { if (c->kept_cap < left) c->kept = realloc(c->kept, c->kept_cap = left * 2); memcpy(c->kept, buf + used, left); c->kept_len = left; }
}
static void pump(uint64_t wait_ns) {
  struct epoll_event ev[512]; struct timespec ts = {wait_ns / 1000000000ull, wait_ns % 1000000000ull};
  int n = epoll_pwait2(ep, ev, 512, &ts, 0);
  for (int i = 0; i < n; i++) readable(ev[i].data.ptr);
}
static void open_line(conn *c) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if ((c->fd = socket(AF_INET, SOCK_STREAM, 0)) < 0) die("socket");
  if (connect(c->fd, (void *)&a, sizeof a)) die("connect");
  int one = 1; setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one); fcntl(c->fd, F_SETFL, O_NONBLOCK);
  struct epoll_event ev = {.events = EPOLLIN, .data.ptr = c}; epoll_ctl(ep, EPOLL_CTL_ADD, c->fd, &ev);
  char b[512]; int n = snprintf(b, sizeof b, "GET %s%d/%d HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n", echo_mode ? "/" : "/ws?", c->match, c->seat, port);
  if (write(c->fd, b, n) != n) die("write");
}
#define UNTIL(condition, limit_s) for (uint64_t end_ = now() + (limit_s) * 1000000000ull; !(condition) && now() < end_; pump(20000000))
static int moving(void) { int n = 0; for (int i = 0; i < n_conns; i++) n += C[i].seat >= 0 && C[i].state == IN && (echo_mode || C[i].n_moves > 0); return n; }
static int have_moved(void) { int n = 0; for (int i = 0; i < n_conns; i++) n += C[i].moved_once; return n; }

static void run(void) {
  int np = 0, *P = malloc(n_conns * sizeof(int)); for (int i = 0; i < n_conns; i++) if (C[i].seat >= 0) P[np++] = i;
  for (int i = np - 1; i > 0; i--) { int j = rand() % (i + 1), x = P[i]; P[i] = P[j]; P[j] = x; }
  uint64_t s = now(), tb = s + (uint64_t)(warm * 1e9), te = tb + (uint64_t)(seconds * 1e9), k = 0; double gap = rate > 0 ? 1e9 / rate / np : 0, c0 = 0;
  running = 1;
  if (rate == 0) for (int i = 0; i < np; i++) { act(&C[P[i]], now()); if (i % 8 == 7) pump(0); }
  for (;;) {
    uint64_t t = now(), wait = 50000000;
    if (!measuring && t >= tb) { measuring = 1; t_begin = t; c0 = cpu(); printf("BEGIN\n"); }
    if (t >= te || (measuring && !echo_mode && n_over == n_matches)) break;
    if (rate > 0) {
      uint64_t due;
      while ((due = s + (uint64_t)(k * gap)) <= t) {
        conn *c = &C[P[k++ % np]];
        if (c->waiting_seq) { if (!c->owed++) c->oldest_due = due; } else act(c, due);
        t = now();
      }
      wait = due - t;
    }
    if (!measuring && t < tb && tb - t < wait) wait = tb - t;
    pump(t < te && te - t < wait ? te - t : wait);
  }
  t_end = now(); running = 0;
  double sec = (t_end - t_begin) / 1e9, g = cpu() - c0; printf("END\n");
  measuring = 0; UNTIL(0, 1) if (now() - t_end > 300000000ull) break;
  printf("RESULT {\"seconds\":%.4f,\"moves\":%lu,\"messages\":%lu,\"heard\":%lu,\"own_p50\":%.4f,\"own_p99\":%.4f,\"rivals_p50\":%.4f,\"rivals_p99\":%.4f,"
    "\"watchers_p99\":%.4f,\"bytes_in\":%lu,\"refused\":%lu,\"errors\":%lu,\"dead\":%lu,\"generator_cpu\":%.4f}\n",
    sec, moves, messages, heard, ms_at(&own, .5), ms_at(&own, .99), ms_at(&rivals, .5), ms_at(&rivals, .99), ms_at(&watchers, .99), bytes_in, refused, errors, dead, g);
}

int main(int ac, char **av) {
  setvbuf(stdout, 0, _IOLBF, 0);
  for (int i = 1; i + 1 < ac; i += 2) {
#define OPT(name) else if (!strcmp(av[i], "--" name))
    const char *v = av[i + 1];
    if (0) {} OPT("port") port = atoi(v); OPT("mode") echo_mode = !strcmp(v, "echo"); OPT("matches") n_matches = atoi(v); OPT("players") players = atoi(v);
    OPT("spectators") spectators = atoi(v); OPT("holes") holes = atoi(v); OPT("rate") rate = atof(v); OPT("seconds") seconds = atof(v);
    OPT("warm") warm = atof(v); OPT("seed") token_seed = atoll(v);
    else { fprintf(stderr, "unknown option %s\n", av[i]); return 1; }
  }
  srand(token_seed); per = players + spectators; n_conns = n_matches * per;
  C = calloc(n_conns, sizeof *C); M = calloc(n_matches, sizeof *M); ep = epoll_create1(0);
  for (int i = 0; i < n_conns; i++) { int seat = i % per; C[i] = (conn){.fd = -1, .match = i / per, .seat = seat < players ? seat : -1}; }
  char line[64];
  while (fgets(line, sizeof line, stdin)) {
    if (!strncmp(line, "QUIT", 4)) break;
    if (!strncmp(line, "CONNECT", 7)) {
      int next = 0; UNTIL(n_greeted == n_conns, 120) while (next < n_conns && next - n_greeted < OPENING_AT_ONCE) open_line(&C[next++]);
      printf("CONNECTED %d\n", n_greeted);
    } else if (!strncmp(line, "ENTER", 5)) {
      entering = !echo_mode;
      for (int i = 0; i < n_conns && entering; i += per) { enter(&C[i]); UNTIL(i / per * per - n_in < 8 * per, 60); }
      UNTIL(n_in == n_conns && moving() == n_matches * players, 120);
      printf("ENTERED %d %d\n", n_in, moving());
    } else if (!strncmp(line, "ONE", 3)) {
      for (int i = 0; i < n_conns; i++) { if (C[i].seat >= 0) act(&C[i], now()); if (i % 16 == 15) pump(0); }
      UNTIL(have_moved() == n_matches * players, 20);
      printf("ONE_DONE %d\n", have_moved());
    } else if (!strncmp(line, "RUN", 3)) run();
    else if (!strncmp(line, "FINISH", 6)) {
      finishing = 1; for (int i = 0; i < n_conns; i++) { go_on(&C[i]); if (i % 16 == 15) pump(0); }
      UNTIL(echo_mode || n_over == n_matches, 60);
      for (int i = 0; i < n_matches; i++) if (M[i].over) printf("MATCH %s\n", M[i].id);
      printf("FINISHED %d\n", n_over);
    }
  }
  return 0;
}
