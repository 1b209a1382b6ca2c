/* A whole Battlebots bot: every turn it reads what it sees, and answers with orders.
 *
 * Make it yours in `choose`, near the end: for now it marches at random. `agon bot check .` tries
 * the bot out, `agon match battlebots . greedy --watch` lets it play. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_FORTS = 512, MAX_ROADS = 2048, MAX_MARCHES = 65536, MAX_NAME = 256 };

typedef struct {
    char name[MAX_NAME], owner[MAX_NAME]; /* "neutral" if it is nobody's */
    long x, y, soldiers;
    int near[MAX_FORTS], near_count; /* the neighbours that we see: places in `forts` */
} Fort;

typedef struct {
    int origin, target; /* places in `forts` */
    char owner[MAX_NAME];
    long soldiers, steps; /* to go */
} March;

typedef struct {
    int origin, target;
    long soldiers;
} Order;

/* What we see in a turn: our forts, their neighbours, and what is between them. */
static Fort forts[MAX_FORTS];
static March marches[MAX_MARCHES];
static int fort_count, march_count;

/* Our home, where we began, is at 0 0. */
static char home[MAX_NAME], me[MAX_NAME];

/* --- Playing --- */

static bool is_own(const Fort *fort) { return strcmp(fort->owner, me) == 0; }

/* Send some soldiers from some forts; how many orders there are. This is where your bot begins. */
static int choose(Order *orders) {
    int count = 0;
    for (int i = 0; i < fort_count; i++) {
        const Fort *fort = &forts[i];
        if (!is_own(fort) || fort->near_count == 0 || fort->soldiers == 0) continue;
        if (rand() % 2 == 0) continue;
        int target = fort->near[rand() % fort->near_count];
        orders[count++] = (Order){i, target, 1 + rand() % fort->soldiers};
    }
    return count;
}

/* --- Reading --- */

static int find_fort(const char *name) {
    for (int i = 0; i < fort_count; i++)
        if (strcmp(forts[i].name, name) == 0) return i;
    return 0;
}

/* The number in a header such as `3 forts:`; -1 at the end of the input. */
static int read_header(void) {
    int count;
    return scanf("%d %*s", &count) == 1 ? count : -1;
}

static bool read_forts(void) {
    int count = read_header();
    if (count < 0 || count > MAX_FORTS) return false;
    for (fort_count = 0; fort_count < count; fort_count++) {
        Fort *fort = &forts[fort_count];
        fort->near_count = 0;
        if (scanf("%255s %ld %ld %255s %ld", fort->name, &fort->x, &fort->y, fort->owner,
                  &fort->soldiers) != 5)
            return false;
        if (fort->x == 0 && fort->y == 0 && strcmp(fort->name, home) != 0) {
            strcpy(home, fort->name); /* the first turn of a match: this is us */
            strcpy(me, fort->owner);
        }
    }
    return true;
}

static bool read_roads(void) {
    char one[MAX_NAME], other[MAX_NAME];
    for (int left = read_header(); left > 0; left--) {
        if (scanf("%255s %255s", one, other) != 2) return false;
        int a = find_fort(one), b = find_fort(other);
        forts[a].near[forts[a].near_count++] = b;
        forts[b].near[forts[b].near_count++] = a;
    }
    return true;
}

static bool read_marches(void) {
    char origin[MAX_NAME], target[MAX_NAME];
    march_count = 0;
    for (int left = read_header(); left > 0; left--) {
        March march;
        if (scanf("%255s %255s %255s %ld %ld", origin, target, march.owner, &march.soldiers,
                  &march.steps) != 5)
            return false;
        march.origin = find_fort(origin);
        march.target = find_fort(target);
        if (march_count < MAX_MARCHES) marches[march_count++] = march;
    }
    return true;
}

/* Read what we see, and answer; until there is no more input. */
int main(void) {
    static Order orders[2 * MAX_ROADS];
    srand((unsigned)time(NULL));
    while (read_forts() && read_roads() && read_marches()) {
        int count = choose(orders);
        printf("%d marches:\n", count);
        for (int i = 0; i < count; i++)
            printf("%s %s %ld\n", forts[orders[i].origin].name, forts[orders[i].target].name,
                   orders[i].soldiers);
        fflush(stdout); /* or the arena would wait for a full buffer */
    }
    return 0;
}
