/* A Battlebots bot that asks the arena for the orders that it may give, and chooses some of them.
 *
 * Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match battlebots . greedy
 * --watch` lets it play. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 4096 /* roads out of our forts */

struct order {
    const char *origin, *target;
    long soldiers;
};

/* Pick an order for one of our forts. This is where your bot begins. `roads` are all ways out, with
 * all soldiers that we have there. This sends half of them along one of the roads. */
static struct order choose(const struct order *roads, int count)
{
    struct order chosen = roads[rand() % count];
    chosen.soldiers = (chosen.soldiers + 1) / 2;
    return chosen;
}

int main(void)
{
    static struct order roads[MOST];
    char *line = NULL;
    size_t size = 0;

    srand((unsigned)time(NULL));
    puts("legal"); /* our first line: we want the legal orders with every question */
    fflush(stdout);
    while (getline(&line, &size, stdin) > 0) { /* what we see: forts, roads, marches */
        for (int section = 0; section < 3; section++) {
            if (section)
                getline(&line, &size, stdin);
            for (int lines = atoi(line); lines > 0; lines--)
                getline(&line, &size, stdin); /* such as: boyard 0 0 mine 12 */
        }
        getline(&line, &size, stdin); /* legal, and three words for each order */
        int count = 0;
        for (char *name = strtok(line, " \n"); count < MOST && (name = strtok(NULL, " \n"));) {
            roads[count].origin = name;
            roads[count].target = strtok(NULL, " \n");
            roads[count++].soldiers = atol(strtok(NULL, " \n"));
        }
        puts("? marches:");
        for (int first = 0, last; first < count; first = last) { /* the roads of one fort */
            for (last = first; last < count && !strcmp(roads[last].origin, roads[first].origin);)
                last++;
            struct order order = choose(roads + first, last - first);
            printf("%s %s %ld\n", order.origin, order.target, order.soldiers);
        }
        puts("end");
        fflush(stdout);
    }
    return 0;
}
