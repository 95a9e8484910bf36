/* Searches Canfield positions to the end, all cards known: can all cards be brought to the foundations?
 *
 *     canfield_search TURNED POSITIONS [bare] [exact]
 *
 * A line of standard input is a position (canfield_position.h). The answer is a line: `won N` and the moves, `lost
 * N` (no position is left to try), or `undecided N` (POSITIONS were met, or a line grew too long); N is the number
 * of positions met. `bare`: nothing goes onto a card of the base rank. `exact`: as if the third rule below weren't
 * there.
 *
 * What is left out of the search, and why nothing is lost by it:
 *
 * - The order of the columns: the rules treat them alike.
 * - Draws. Only the waste's top card matters, and which cards can become it by drawing on and on is plain: with w
 *   cards on the waste the w-th, each third after it, the last one, and, after turning over, each third from the
 *   third. So of two positions that differ only in w, one can do all that the other can if its w is smaller and
 *   leaves the same remainder by 3, or if the other's w is divisible by 3 or is all cards. A position that can do
 *   no more than another that was met is dropped: after the same move on both that is still so.
 * - Which of two like cards (one rank, one colour) holds what lies on them. A column is always one run, so a card
 *   that isn't a column's deepest lies on one of two like cards. Call positions alike if they differ in nothing but
 *   that. What can be done is then a matter of numbers: a card goes onto a like card if fewer lie on those two than
 *   are in columns; one that has a block on it goes home if its like one is free, since the block can step over
 *   first. So of alike positions one is searched. The only thing that may be in the way is a free like card that
 *   lies in the very block that should move, which takes a run of 13 cards or more (ranks go round). Where that is
 *   met it is noted, and should the search end without a win, another one, which tells alike positions apart and
 *   makes every move, decides.
 * - All else than taking a card home that can't be of use, from a column or the reserve: not from the waste, since
 *   that changes what the next draws turn. Let c be such a card, in a line that wins. Nothing needs to go onto c:
 *   what could (one lower, the other colour) is home, or can go home whenever it would have gone onto c, and
 *   nothing needs to go onto that either. Take c home now and leave out its moves: the columns look as before
 *   without c. If c's column is filled from the reserve by this, it holds the card that is the reserve's top in the
 *   old line for as long as c stood there, and that card plays as it did; if another column is emptied meanwhile,
 *   the two change parts.
 */

#include "canfield_position.h"
#include "positions.h"

#define NO_CARD 63
#define TEXT 4096
#define LONGEST_LINE 20000

typedef struct {
    State state;
    size_t first, next, end; /* its moves among all that wait; those from `next` on were tried */
} Frame;

static bool exact, in_the_way;
static Positions met;
static Frame frames[LONGEST_LINE];
static Move *waiting;
static size_t waiting_size;

/* Says whether the next card of a suit, which lies in a column, can go home from there. */
static bool can_go_home(const State *s, int card) {
    if (s->above[card] == FREE)
        return true;
    if (exact || !is_free(s, like(card)))
        return false;
    if (!in_block(s, like(card), card))
        return true;
    in_the_way = true;
    return false;
}

/* The next card of a suit if it lies where it can go home without a draw, else FREE. */
static int next_home(const State *s, int suit) {
    int card = suit * 13 + s->home[suit];
    bool there = s->home[suit] < 13 && (on_reserve(s, card) || (in_column(s, card) && can_go_home(s, card)));
    return there ? card : FREE;
}

/* Says whether nothing needs to go onto this card, the next of its suit, any more. */
static bool spent(const State *s, int card) {
    int rank = rank_of(card), other = suit_of(below(card));
    int lower = s->home[other] < s->home[3 - other] ? s->home[other] : s->home[3 - other];
    if (rank == 0)
        return bare_base;
    /* Both that could go onto it are home; or both are next at the latest, and what could go onto them is home. */
    return lower >= rank ||
           (rank >= (bare_base ? 1 : 2) && lower >= rank - 1 && s->home[3 - suit_of(card)] >= rank - 1);
}

static void take_spent_ones(State *s, FILE *out) {
    for (int suit = 0, since = 0; since < 4; suit = (suit + 1) % 4, since++) {
        int card = next_home(s, suit);
        if (card != FREE && spent(s, card)) {
            act(s, (Move){HOME, card, FREE}, out);
            since = -1;
        }
    }
}

/* A position's key: all but the waste's height, of which the set's notes have the least by remainder. */
static Key key_of(const State *s) {
    Key key = {s->stock, 0};
    int deepest[4];
    for (int i = 0; i < 4; i++) {
        int card = s->column[i] == FREE ? NO_CARD : s->column[i], place = i;
        for (; place > 0 && deepest[place - 1] > card; place--)
            deepest[place] = deepest[place - 1];
        deepest[place] = card;
        key.first = key.first << 4 | s->home[i];
    }
    for (int i = 0; i < 4; i++)
        key.second = key.second << 6 | deepest[i];
    key.second = key.second << 4 | s->reserve;
    for (int card = 0; exact && card < 26; card++) {
        /* Of two like cards in columns: does the first hold a card, the only one or the one of the lower number? */
        bool first = in_column(s, card) && in_column(s, like(card)) && s->above[card] != FREE &&
                     (s->above[like(card)] == FREE || s->above[card] < s->above[like(card)]);
        key.second = key.second << 1 | first;
    }
    return key;
}

#define NOTES 12
#define NONE 63u

/* Notes a position; false if one was met before that can do all that it can. */
static bool is_new(const State *s) {
    Key key = key_of(s);
    key.first = key.first << NOTES | (NONE << 6 | NONE);
    int remainder = s->waste == stock_left(s) ? 0 : s->waste % turned, shift = remainder == 2 ? 6 : 0;
    Key *place = find(&met, key);
    if (place->second == 0) {
        *place = key;
        met.used++;
    } else if (remainder == 0 || (place->first >> shift & NONE) <= (unsigned)s->waste) {
        return false;
    }
    if (remainder != 0)
        place->first = (place->first & ~((uint64_t)NONE << shift)) | (uint64_t)s->waste << shift;
    return true;
}

static size_t wait_for(size_t end, int kind, int card, int target) {
    if (end == waiting_size) {
        waiting_size *= 2;
        waiting = realloc(waiting, waiting_size * sizeof *waiting);
        if (waiting == NULL)
            exit(1);
    }
    waiting[end] = (Move){kind, card, target};
    return end + 1;
}

/* Lists the moves of a card, or of the block that begins with it, onto cards in columns. */
static size_t list_onto(const State *s, size_t end, int card) {
    int holder = over(card);
    if (!exact) {
        if (holder_for(s, card) != FREE)
            return wait_for(end, ONTO, card, FREE);
        in_the_way |= (is_free(s, holder) || is_free(s, like(holder))) && !(bare_base && rank_of(holder) == 0);
        return end;
    }
    for (int i = 0; i < 2; i++, holder = like(holder))
        if (can_hold(s, holder, card))
            end = wait_for(end, ONTO, card, holder);
    return end;
}

/* Lists all moves of a position after `end`, those that should be tried last first; returns the new end. */
static size_t list_moves(const State *s, size_t end) {
    uint64_t cards = reachable(s);
    if (s->reserve == 0 && open_column(s) != FREE) {
        for (int card = 0; card < 52; card++)
            if (s->under[card] >= 0)
                end = wait_for(end, OPEN, card, FREE);
        for (uint64_t rest = cards; rest != 0; rest &= rest - 1)
            end = wait_for(end, OPEN, stock[__builtin_ctzll(rest)], FREE);
    }
    for (uint64_t rest = cards; rest != 0; rest &= rest - 1)
        end = list_onto(s, end, stock[__builtin_ctzll(rest)]);
    for (uint64_t rest = cards; rest != 0; rest &= rest - 1) {
        int card = stock[__builtin_ctzll(rest)];
        if (rank_of(card) == s->home[suit_of(card)])
            end = wait_for(end, HOME, card, FREE);
    }
    for (int column = 0; column < 4; column++)
        for (int card = s->column[column]; card != FREE; card = exact ? s->above[card] : FREE)
            end = list_onto(s, end, card);
    if (s->reserve > 0)
        end = list_onto(s, end, reserve[s->reserve - 1]);
    for (int suit = 0; suit < 4; suit++)
        if (next_home(s, suit) != FREE)
            end = wait_for(end, HOME, next_home(s, suit), FREE);
    return end;
}

/* Searches on from the first frame. Returns 1 and the line's end in *depth, or 0 for lost, -1 at a limit. */
static int search(size_t most, int *depth) {
    int at = 0;
    bool limited = false;
    forget(&met);
    in_the_way = false;
    take_spent_ones(&frames[0].state, NULL);
    is_new(&frames[0].state);
    frames[0].first = 0;
    frames[0].next = frames[0].end = list_moves(&frames[0].state, 0);
    while (at >= 0) {
        Frame *frame = &frames[at], *after = frame + 1;
        if (won(&frame->state)) {
            *depth = at;
            return 1;
        }
        if (frame->next == frame->first) {
            at--;
            continue;
        }
        after->state = frame->state;
        act(&after->state, waiting[--frame->next], NULL);
        take_spent_ones(&after->state, NULL);
        if (!is_new(&after->state))
            continue;
        if (met.used >= most)
            return -1;
        if (at + 2 == LONGEST_LINE) {
            limited = true;
            continue;
        }
        after->first = frame->end;
        after->next = after->end = list_moves(&after->state, frame->end);
        at++;
    }
    return limited ? -1 : 0;
}

static void tell_line(State s, int depth) {
    take_spent_ones(&s, stdout);
    for (int at = 0; at < depth; at++) {
        act(&s, waiting[frames[at].next], stdout);
        take_spent_ones(&s, stdout);
    }
}

int main(int count, char **arguments) {
    char text[TEXT];
    bool always_exact = false;
    if (count < 3) {
        fputs("canfield_search TURNED POSITIONS [bare] [exact]\n", stderr);
        return 2;
    }
    turned = atoi(arguments[1]);
    size_t most = strtoull(arguments[2], NULL, 10);
    for (int i = 3; i < count; i++) {
        bare_base |= strcmp(arguments[i], "bare") == 0;
        always_exact |= strcmp(arguments[i], "exact") == 0;
    }
    met.named = ~(uint64_t)0 << NOTES;
    waiting_size = 1 << 16;
    waiting = memory(waiting_size, sizeof *waiting);
    while (fgets(text, sizeof text, stdin) != NULL) {
        State start = read_position(text);
        int depth = 0, answer;
        size_t positions = 0;
        exact = always_exact;
        do {
            frames[0].state = start;
            answer = search(most, &depth);
            positions += met.used;
        } while (answer == 0 && in_the_way && !exact && (exact = true));
        printf("%s %zu", answer == 1 ? "won" : answer == 0 ? "lost" : "undecided", positions);
        if (answer == 1)
            tell_line(start, depth);
        putchar('\n');
        fflush(stdout);
    }
    return 0;
}
