/* A MebiPenny bot that asks the arena for the legal moves, and chooses one of them.
 *
 * Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match mebipenny . greedy
 * --watch` lets it play. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TILE "{\"tile\": {\"row\": %d, \"col\": %d}"

static char ours[258][258]; /* our claims by row and column, within a frame of no claims */
static char me[64];

/* Pick a move, such as {"tile": {"row": 0, "col": 2}}, or NULL to pass. This is where your bot
 * begins. `moves` has the text of all moves; this likes tiles beside its own claims. */
static const char *choose(const char *moves)
{
    const char *best = NULL;
    int most = -1, row, col;

    for (const char *move = moves; (move = strstr(move, "{\"tile\"")); move++) {
        sscanf(move, TILE, &row, &col);
        char *here = &ours[row + 1][col + 1];
        int friends = here[-1] + here[1] + here[-258] + here[258];
        if (friends > most || (friends == most && rand() % 4 == 0)) {
            best = move;
            most = friends;
        }
    }
    return best;
}

int main(void)
{
    char *line = NULL, owner[64];
    size_t size = 0;
    int row, col;

    srand((unsigned)time(NULL));
    puts("legal"); /* our first line: we want the legal moves with every question */
    fflush(stdout);
    while (getline(&line, &size, stdin) > 0) {
        const char *move, *id = strstr(line, "\"player_id\"");
        if (id && sscanf(id, "\"player_id\": \"%63[^\"]", me)) /* the board of a new match */
            memset(ours, 0, sizeof ours);
        if (strncmp(line, "{\"legal\"", 8) == 0) {
            if ((move = choose(line))) /* it ends with its second bracket */
                printf("%.*s\n", (int)(strchr(strchr(move, '}') + 1, '}') + 1 - move), move);
            else
                puts("\"PASS\"");
            fflush(stdout);
        } else { /* news of claims, and at the end of a match none */
            for (char *claim = line; (claim = strstr(claim, "{\"tile\"")); claim++)
                if (sscanf(claim, TILE ", \"owner\": \"%63[^\"]", &row, &col, owner) == 3)
                    ours[row + 1][col + 1] = strcmp(owner, me) == 0;
        }
    }
    return 0;
}
