/* An Atlantis bot that asks the arena for the legal moves, and chooses some of them.
 *
 * Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match atlantis . greedy
 * --watch` lets it play. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 100000

/* Pick one of the moves that start in a segment, or NULL. This is where your bot begins. A move
 * says from where to where: ["a1", "c3"] takes two stones two steps. */
static const char *choose(char **moves, int count)
{
    return rand() % 2 ? moves[rand() % count] : NULL;
}

/* Answer {"type": "legal", "moves": [[["a1", "b2"], ["a1", "b1"]], [["d4", "d3"]]]}: lists of
 * moves, one for each segment. Brackets tell moves (3 deep) and segments (2 deep). */
static void answer(char *line)
{
    static char *moves[MOST];
    char *cut = NULL; /* where the text of a move ends */
    int depth = 0, count = 0, sent = 0;

    printf("{\"moves\": [");
    for (char *at = strchr(line, '['); *at; at++) {
        char sign = *at;
        if (at == cut)
            *at = '\0';
        if (sign == '[' && ++depth == 3 && count < MOST)
            moves[count++] = at;
        if (sign == ']' && depth-- == 3)
            cut = at + 1;
        if (sign == ']' && depth == 1 && count) {
            const char *move = choose(moves, count);
            if (move)
                printf("%s%s", sent++ ? ", " : "", move);
            count = 0;
        }
    }
    puts("]}");
    fflush(stdout);
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;

    srand((unsigned)time(NULL));
    puts("legal"); /* our first line: we want the legal moves with every question */
    fflush(stdout);
    while (getline(&line, &size, stdin) > 0)
        if (strstr(line, "\"type\": \"legal\"")) /* others tell of the board, turns, and the end */
            answer(line);
    return 0;
}
