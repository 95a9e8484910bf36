/* Searches Black Hole positions to the end: can all fans be played onto the hole?
 *
 *     black_hole_search POSITIONS
 *
 * A line of standard input is a position: the hole's top rank, then up to 17 fans of up to three ranks, deepest
 * first, with `/` before each; ranks are 0 to 12 and go round. The answer is a line: `won N` and the fans that are
 * played, from 1; `lost N` (no position is left to try); or `undecided N` (POSITIONS were met). N is the number of
 * positions met.
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
#define TEXT 1024

typedef struct {
    int8_t left[FANS];
    int8_t of_rank[RANKS]; /* cards left in the fans */
    int8_t hole;
    int8_t next;   /* what to try next: the fans with three cards left, then those with two, then one */
    int8_t played; /* the fan that was tried last */
} Step;

static int8_t fan[FANS][3];
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

/* Searches from the first step, on which `cards` are left; 1 won, with the line in `played`, 0 lost, -1 a limit. */
static int search(size_t most, int cards) {
    int at = 0;
    forget(&met);
    steps[0].next = 0;
    while (at < cards) {
        Step *step = &steps[at], *after = step + 1;
        if (step->next == 3 * fans) {
            if (at-- == 0)
                return 0;
            continue;
        }
        int left = 3 - step->next / fans, played = step->next % fans;
        step->next++;
        if (step->left[played] != left)
            continue;
        int rank = fan[played][left - 1], apart = (rank - step->hole + RANKS) % RANKS;
        if (apart != 1 && apart != RANKS - 1)
            continue;
        step->played = played;
        *after = *step;
        after->left[played]--;
        after->of_rank[rank]--;
        after->hole = rank;
        after->next = 0;
        if (is_dead(after, cards - at - 1))
            continue;
        if (!is_new(after))
            continue;
        if (met.used >= most)
            return -1;
        at++;
    }
    return 1;
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
        int answer = search(most, cards);
        printf("%s %zu", answer == 1 ? "won" : answer == 0 ? "lost" : "undecided", met.used);
        for (int at = 0; answer == 1 && at < cards; at++)
            printf(" %d", steps[at].played + 1);
        putchar('\n');
        fflush(stdout);
    }
    return 0;
}
