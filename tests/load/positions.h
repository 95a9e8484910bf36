/* The set of positions that a search has met: exact keys of two words, open addressing, doubled as it fills.
 *
 * Knows no game. A key's second word is never 0, which marks an empty place. Bits of the first word that are not in
 * `named` are the searcher's own notes, and play no part in what is the same.
 */
#ifndef POSITIONS_H
#define POSITIONS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    uint64_t first, second;
} Key;

typedef struct {
    uint64_t named;
    Key *places;
    size_t size, used;
} Positions;

#define SMALLEST_SET ((size_t)1 << 12)

static void *memory(size_t count, size_t size) {
    void *given = calloc(count, size);
    if (given == NULL) {
        fputs("no memory\n", stderr);
        exit(1);
    }
    return given;
}

static void forget(Positions *set) {
    free(set->places);
    set->size = SMALLEST_SET;
    set->used = 0;
    set->places = memory(set->size, sizeof(Key));
}

static Key *place_of(const Positions *set, Key key) {
    uint64_t mixed = ((key.first & set->named) ^ key.second * 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
    mixed ^= mixed >> 32;
    size_t place = (mixed * 0xD6E8FEB86659FD93u >> 20) & (set->size - 1);
    while (set->places[place].second != 0 &&
           (((set->places[place].first ^ key.first) & set->named) != 0 || set->places[place].second != key.second))
        place = (place + 1) & (set->size - 1);
    return &set->places[place];
}

/* Finds a key's place, where it stands or may be written. Whoever writes there counts it in `used`. */
static Key *find(Positions *set, Key key) {
    if (set->used * 10 >= set->size * 7) {
        Positions larger = {set->named, memory(set->size * 2, sizeof(Key)), set->size * 2, set->used};
        for (size_t place = 0; place < set->size; place++)
            if (set->places[place].second != 0)
                *place_of(&larger, set->places[place]) = set->places[place];
        free(set->places);
        *set = larger;
    }
    return place_of(set, key);
}

#endif
