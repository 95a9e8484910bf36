/* Searches Black Hole positions to the end: can all fans be played onto the hole?
 *
 *     black_hole_search POSITIONS
 *
 * A line of standard input is a position: the hole's top rank, then up to 17 fans of up to three ranks, deepest
 * first, with `/` before each; ranks are 0 to 12 and go round. The answer is a line: `won N` and the fans that are
 * played, from 1; `lost N` (no position is left to try); or `undecided N` (POSITIONS were met). N is the number of
 * positions met, in all rounds.
 *
 * Suits don't matter. A position is how many cards are left in each fan and the hole's rank. Fans whose deepest
 * card is of one rank and of which no more than that card is left are alike, so of those the first ones are taken
 * to be the fuller.
 */

#include <stdbool.h>
#include <string.h>

#include "positions.h"

#define FANS 17
#define CARDS 51
#define RANKS 13
#define FIRST_ROUND 2000
#define LAST_ROUND 20000
#define ROUNDS 10
#define TEXT 1024

typedef struct {
    int8_t left[FANS];
    int8_t of_rank[RANKS]; /* cards left in the fans */
    int8_t hole;
    int8_t playable[FANS]; /* the fans whose last card plays, those first that should be tried first */
    int8_t count, next;    /* how many they are, and the one to try next */
} Step;

static int8_t fan[FANS][3], name[FANS]; /* the ranks of each, and its number in the question */
static int fans;
static Positions met;
static Step steps[CARDS + 1];

static Key key_of(const Step *step) {
    int8_t left[FANS];
    Key key = {step->hole, 1};
    memcpy(left, step->left, sizeof left);
    for (int i = 0; i < fans; i++) {
        for (int j = i + 1; left[i] == 0 && j < fans; j++)
            if (left[j] == 1 && fan[i][0] == fan[j][0]) {
                left[i] = 1;
                left[j] = 0;
            }
        key.first = key.first << 2 | left[i];
    }
    return key;
}

/* Says whether the ranks of the cards that are left can't all be played, whatever lies on whatever.
 *
 * A card follows one of a rank beside its own, which is left too or is the hole's. So cards of every other rank of a
 * stretch can't be more than those of the ranks between and at both ends, with the hole's among them. And what lies
 * behind a rank of which nothing is left is out of reach from the hole.
 */
static bool is_dead(const Step *step, int cards) {
    const int8_t *of_rank = step->of_rank;
    for (int first = 0; first < RANKS; first++) {
        int before = (first + RANKS - 1) % RANKS, spare = of_rank[before] + (step->hole == before);
        for (int stretch = 1, rank = first; stretch < RANKS - 1; stretch += 2) {
            int beside = rank + 1 == RANKS ? 0 : rank + 1;
            spare += of_rank[beside] + (step->hole == beside) - of_rank[rank];
            if (spare < 0)
                return true;
            rank = beside + 1 == RANKS ? 0 : beside + 1;
        }
    }
    int up = 1, down = 1, reached = of_rank[step->hole];
    for (; up < RANKS && of_rank[(step->hole + up) % RANKS] > 0; up++)
        reached += of_rank[(step->hole + up) % RANKS];
    for (; up + down < RANKS && of_rank[(step->hole + RANKS - down) % RANKS] > 0; down++)
        reached += of_rank[(step->hole + RANKS - down) % RANKS];
    return reached < cards || (of_rank[step->hole] == 0 && up > 1 && down > 1 && up < RANKS);
}

static bool is_new(const Step *step) {
    Key key = key_of(step), *place = find(&met, key);
    if (place->second != 0)
        return false;
    *place = key;
    met.used++;
    return true;
}

static int rank_in(const Step *step, int i) { return fan[i][step->left[i] - 1]; }

/* How soon a fan should be tried: full ones first, and ranks of which much is left with little beside them. */
static int urgency(const Step *step, int i) {
    int rank = rank_in(step, i);
    return step->left[i] + 3 * step->of_rank[rank] - step->of_rank[(rank + 1) % RANKS] -
           step->of_rank[(rank + RANKS - 1) % RANKS];
}

static void list_plays(Step *step) {
    int urgencies[FANS];
    step->count = step->next = 0;
    for (int i = 0; i < fans; i++) {
        int apart = step->left[i] == 0 ? 0 : (rank_in(step, i) - step->hole + RANKS) % RANKS;
        if (apart != 1 && apart != RANKS - 1)
            continue;
        int urgent = urgency(step, i), place = step->count++;
        for (; place > 0 && urgencies[place - 1] < urgent; place--) {
            urgencies[place] = urgencies[place - 1];
            step->playable[place] = step->playable[place - 1];
        }
        urgencies[place] = urgent;
        step->playable[place] = i;
    }
}

/* Searches from the first step, on which `cards` are left: 1 won, by the plays before each `next`; 0 lost; -1 a
 * limit. */
static int search(size_t most, int cards) {
    int at = 0;
    forget(&met);
    list_plays(&steps[0]);
    while (at < cards) {
        Step *step = &steps[at], *after = step + 1;
        if (step->next == step->count) {
            if (at-- == 0)
                return 0;
            continue;
        }
        int played = step->playable[step->next++];
        *after = *step;
        after->hole = rank_in(step, played);
        after->of_rank[after->hole]--;
        after->left[played]--;
        if (is_dead(after, cards - at - 1) || !is_new(after))
            continue;
        if (met.used >= most)
            return -1;
        list_plays(after);
        at++;
    }
    return 1;
}

/* Deals the fans to other places by chance, the same every time. */
static void shuffle(uint32_t *chance) {
    for (int i = fans - 1; i > 0; i--) {
        *chance = *chance * 1664525 + 1013904223;
        int other = (*chance >> 16) % (i + 1);
        int8_t ranks[3], left = steps[0].left[i], named = name[i];
        memcpy(ranks, fan[i], sizeof ranks);
        memcpy(fan[i], fan[other], sizeof ranks);
        memcpy(fan[other], ranks, sizeof ranks);
        steps[0].left[i] = steps[0].left[other];
        steps[0].left[other] = left;
        name[i] = name[other];
        name[other] = named;
    }
}

/* Searches with few positions in many orders first: where one loses its way, another often finds a win at once. */
static int search_in_rounds(size_t most, int cards, size_t *positions) {
    uint32_t chance = 1;
    for (size_t few = FIRST_ROUND; few <= LAST_ROUND && few < most; few *= 10)
        for (int round = 0; round < ROUNDS; round++) {
            int answer = search(few, cards);
            *positions += met.used;
            if (answer >= 0)
                return answer;
            shuffle(&chance);
        }
    int answer = search(most, cards);
    *positions += met.used;
    return answer;
}

int main(int count, char **arguments) {
    char line[TEXT];
    if (count != 2) {
        fputs("black_hole_search POSITIONS\n", stderr);
        return 2;
    }
    size_t most = strtoull(arguments[1], NULL, 10);
    met.named = ~(uint64_t)0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        int cards = 0;
        char *text = line, *part = strsep(&text, "/");
        memset(steps, 0, sizeof steps);
        steps[0].hole = atoi(part);
        for (fans = 0; fans < FANS && (part = strsep(&text, "/")) != NULL; fans++)
            for (char *word; (word = strsep(&part, " \n")) != NULL;)
                if (*word != '\0' && steps[0].left[fans] < 3) {
                    int rank = fan[fans][steps[0].left[fans]++] = atoi(word);
                    steps[0].of_rank[rank]++;
                    cards++;
                }
        for (int i = 0; i < fans; i++)
            name[i] = i + 1;
        size_t positions = 0;
        int answer = search_in_rounds(most, cards, &positions);
        printf("%s %zu", answer == 1 ? "won" : answer == 0 ? "lost" : "undecided", positions);
        for (int at = 0; answer == 1 && at < cards; at++)
            printf(" %d", name[steps[at].playable[steps[at].next - 1]]);
        putchar('\n');
        fflush(stdout);
    }
    return 0;
}
