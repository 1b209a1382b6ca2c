/* A Hive bot that asks the arena for the legal moves, and chooses one of them.
 *
 * Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match hive . greedy
 * --watch` lets it play. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 4096

/* Pick a move. This is where your bot begins. `wG2|*bA1` puts wG2 beside bA1, `wB1=*bQ1` on top
 * of bQ1, `wS1` begins a match: a move ends with the tile that it is described by. So this prefers
 * moves that are said to end at the enemy queen. */
static const char *choose(char **moves, int count, const char *enemy_queen)
{
    const char *close[MOST];
    int found = 0;

    for (int i = 0; i < count; i++) {
        size_t length = strlen(moves[i]);
        if (length > 3 && strcmp(moves[i] + length - 3, enemy_queen) == 0)
            close[found++] = moves[i];
    }
    return found ? close[rand() % found] : moves[rand() % count];
}

int main(void)
{
    static char *moves[MOST];
    const char *enemy_queen = "";
    char *line = NULL;
    size_t size = 0;

    srand((unsigned)time(NULL));
    puts("legal"); /* our first line: we want the legal moves with every question */
    fflush(stdout);
    while (getline(&line, &size, stdin) > 0) {
        const char *word = strtok(line, " \n");
        if (word && strcmp(word, "colour") == 0) {
            enemy_queen = strcmp(strtok(NULL, " \n"), "white") == 0 ? "bQ1" : "wQ1";
        } else if (word && strcmp(word, "legal") == 0) {
            int count = 0;
            for (char *move; count < MOST && (move = strtok(NULL, " \n")); count++)
                moves[count] = move;
            puts(choose(moves, count, enemy_queen));
            fflush(stdout);
        } /* other lines: the options of the match, the moves of the other side, the end */
    }
    return 0;
}
