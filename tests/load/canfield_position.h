/* A Canfield position as the search holds it, and what a move does to it: server/rules/canfield.py once more.
 *
 * A card is 13 * suit + rank; suits in the order spade, heart, diamond, club; ranks counted from the base rank, 0 to
 * 12. Nothing comes back from a foundation. Knows no search.
 */
#ifndef CANFIELD_POSITION_H
#define CANFIELD_POSITION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FREE (-1)
#define DEEPEST (-1)
#define AWAY (-2)

typedef struct {
    uint64_t stock;    /* which of the cards that began in waste and stock are still there, by their place */
    int8_t waste;      /* how many of those lie on the waste */
    int8_t reserve;    /* cards left in it */
    int8_t home[4];    /* cards on the foundations */
    int8_t column[4];  /* each column's deepest card, or FREE */
    int8_t above[52];  /* the card that lies on this one, or FREE */
    int8_t under[52];  /* the card on which it lies, DEEPEST of a column, or AWAY from the columns */
} State;

typedef enum { HOME, ONTO, OPEN } Kind;

/* To its foundation; onto `target`, or with FREE onto either of two like cards; to an open column. */
typedef struct {
    int8_t kind, card, target;
} Move;

static int turned;       /* cards that a draw turns */
static bool bare_base;   /* nothing goes onto a card of the base rank in a column */
static int8_t reserve[52], stock[52], stock_place[52];

static int rank_of(int card) { return card % 13; }
static int suit_of(int card) { return card / 13; }
static bool red(int card) { return suit_of(card) == 1 || suit_of(card) == 2; }

/* The other card of this rank and colour. */
static int like(int card) { return (3 - suit_of(card)) * 13 + rank_of(card); }

/* One of the two cards onto which this one goes in a column, and one of the two that go onto it. */
static int over(int card) { return (red(card) ? 0 : 13) + (rank_of(card) + 1) % 13; }
static int below(int card) { return (red(card) ? 0 : 13) + (rank_of(card) + 12) % 13; }

static bool in_column(const State *s, int card) { return s->under[card] != AWAY; }
static bool is_free(const State *s, int card) { return in_column(s, card) && s->above[card] == FREE; }
static bool on_reserve(const State *s, int card) { return s->reserve > 0 && reserve[s->reserve - 1] == card; }
static int stock_left(const State *s) { return __builtin_popcountll(s->stock); }

static int cards_from(const State *s, int card) {
    int count = 0;
    for (; card != FREE; card = s->above[card])
        count++;
    return count;
}

static int column_of(const State *s, int card) {
    while (s->under[card] != DEEPEST)
        card = s->under[card];
    int column = 0;
    while (s->column[column] != card)
        column++;
    return column;
}

/* Says whether a card lies in the block that begins with another, which may be itself. */
static bool in_block(const State *s, int card, int block) {
    while (card >= 0 && card != block)
        card = s->under[card];
    return card == block;
}

/* Says whether a card or block can be put on this card. */
static bool can_hold(const State *s, int holder, int card) {
    return is_free(s, holder) && !(bare_base && rank_of(holder) == 0) &&
           !(in_column(s, card) && in_block(s, holder, card));
}

/* The one of the two like cards that can hold a card, or FREE. */
static int holder_for(const State *s, int card) {
    int holder = over(card);
    return can_hold(s, holder, card) ? holder : can_hold(s, like(holder), card) ? like(holder) : FREE;
}

static int open_column(const State *s) {
    for (int column = 0; column < 4; column++)
        if (s->column[column] == FREE)
            return column;
    return FREE;
}

/* The cards that can become the waste's top one by drawing on and on, by their place. */
static uint64_t reachable(const State *s) {
    uint64_t found = 0;
    int left = stock_left(s), count = 0;
    for (uint64_t rest = s->stock; rest != 0; rest &= rest - 1) {
        count++;
        bool drawn_on = s->waste > 0 && count >= s->waste && (count - s->waste) % turned == 0;
        if (drawn_on || count % turned == 0 || count == left)
            found |= rest & -rest;
    }
    return found;
}

static void say(FILE *out, char source, char target, int count) {
    if (out != NULL)
        fprintf(out, " %c%c%d", source, target, count);
}

static void draw_to(State *s, int wanted, FILE *out) {
    int left = stock_left(s);
    while (s->waste != wanted) {
        s->waste = s->waste == left ? 0 : s->waste + turned < left ? s->waste + turned : left;
        if (out != NULL)
            fputs(" D", out);
    }
}

/* Takes a card from the reserve, or draws until it lies on the waste and takes it; returns where it was. */
static char take(State *s, int card, FILE *out) {
    if (on_reserve(s, card)) {
        s->reserve--;
        return 'R';
    }
    int place = stock_place[card];
    draw_to(s, __builtin_popcountll(s->stock & ((2ull << place) - 1)), out);
    s->stock &= ~(1ull << place);
    s->waste--;
    return 'W';
}

/* Takes a block out of its column, which the reserve fills if it is empty then. */
static void lift(State *s, int card, int column) {
    int under = s->under[card];
    s->under[card] = AWAY;
    if (under != DEEPEST) {
        s->above[under] = FREE;
        return;
    }
    s->column[column] = s->reserve > 0 ? reserve[--s->reserve] : FREE;
    if (s->column[column] != FREE)
        s->under[s->column[column]] = DEEPEST;
}

/* Takes a card, or the block that begins with it, from where it is, and says the move. */
static void fetch(State *s, int card, char target, FILE *out) {
    if (!in_column(s, card)) {
        say(out, take(s, card, out), target, 1);
        return;
    }
    int source = column_of(s, card);
    say(out, '1' + source, target, cards_from(s, card));
    lift(s, card, source);
}

static void put_onto(State *s, int card, int holder, FILE *out) {
    fetch(s, card, '1' + column_of(s, holder), out);
    s->under[card] = holder;
    s->above[holder] = card;
}

/* Makes a move, and says it if there is somebody to hear: `D` for a draw or a waste turned over, else source, target
 * and number of cards: W waste, R reserve, 1 to 4, F. */
static void act(State *s, Move move, FILE *out) {
    int card = move.card;
    if (move.kind == HOME) {
        if (in_column(s, card) && s->above[card] != FREE)
            put_onto(s, s->above[card], like(card), out);
        fetch(s, card, 'F', out);
        s->home[suit_of(card)]++;
    } else if (move.kind == ONTO) {
        put_onto(s, card, move.target != FREE ? move.target : holder_for(s, card), out);
    } else {
        int target = open_column(s);
        fetch(s, card, '1' + target, out);
        s->column[target] = card;
        s->under[card] = DEEPEST;
    }
}

static bool won(const State *s) { return s->home[0] + s->home[1] + s->home[2] + s->home[3] == 52; }

/* Reads cards up to the next slash; returns how many. */
static int read_cards(char **text, int8_t *cards) {
    int count = 0;
    for (char *word; (word = strsep(text, " \n")) != NULL && *word != '/';)
        if (*word != '\0')
            cards[count++] = atoi(word);
    return count;
}

/* Reads how many cards are home of each suit, then the reserve, four columns and the waste, deepest card first, and
 * the stock, next card first, with `/` between. */
static State read_position(char *text) {
    State s;
    int8_t column[52];
    memset(&s, 0, sizeof s);
    memset(s.above, FREE, sizeof s.above);
    memset(s.under, AWAY, sizeof s.under);
    read_cards(&text, s.home);
    s.reserve = read_cards(&text, reserve);
    for (int i = 0; i < 4; i++) {
        int count = read_cards(&text, column);
        s.column[i] = count == 0 ? FREE : column[0];
        for (int place = 0; place < count; place++) {
            s.under[column[place]] = place == 0 ? DEEPEST : column[place - 1];
            s.above[column[place]] = place == count - 1 ? FREE : column[place + 1];
        }
    }
    s.waste = read_cards(&text, stock);
    int count = s.waste + read_cards(&text, stock + s.waste);
    for (int place = 0; place < count; place++)
        stock_place[stock[place]] = place;
    s.stock = (1ull << count) - 1;
    return s;
}

#endif
