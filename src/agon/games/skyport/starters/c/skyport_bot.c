/* A Skyport bot that asks the arena what it may do, and chooses: ./skyport_bot NAME HOST PORT
 *
 * Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match skyport . random
 * --watch` lets it play. */
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 4096

/* Pick one of the messages that we may send now. This is where your bot begins. At first they are
 * loadouts. This mines and upgrades where it can, else it moves; it does not shoot. */
static const char *choose(char **legal, int count)
{
    static const char *liked[] = {"\"mine\"", "\"upgrade\"", "\"move\""};
    const char *found[MOST];
    int several = 0;

    for (int i = 0; i < 3 && !several; i++)
        for (int j = 0; j < count; j++)
            if (strstr(legal[j], liked[i]))
                found[several++] = legal[j];
    return several ? found[rand() % several] : legal[rand() % count];
}

int main(int argc, char **argv)
{
    static char *legal[MOST];
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
    char *line = NULL;
    size_t size = 0;

    if (argc != 4 || getaddrinfo(argv[2], argv[3], &hints, &found))
        return 1;
    int to = socket(found->ai_family, SOCK_STREAM, 0);
    if (connect(to, found->ai_addr, found->ai_addrlen))
        return 1;
    FILE *arena = fdopen(to, "r");
    srand((unsigned)time(NULL));
    dprintf(to, "legal\n"); /* we want the legal messages with every question */
    dprintf(to, "{\"message\": \"connect\", \"revision\": 1, \"name\": \"%s\"}\n", argv[1]);
    while (getline(&line, &size, arena) > 0) {
        int count = 0;
        if (!strstr(line, "\"message\": \"legal\"")) /* others tell of the map, turns, errors */
            continue;
        for (char *at = strchr(line, '['); count < MOST && (at = strchr(at, '{')); count++) {
            legal[count] = at;
            at = strchr(at, '}') + 2;
            at[-1] = '\0';
        }
        dprintf(to, "%s\n", choose(legal, count));
    }
    return 0;
}
