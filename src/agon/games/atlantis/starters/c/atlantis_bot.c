/* A whole Atlantis bot: it reads what the arena says, keeps the board, and answers with moves.
 *
 * Make it yours in `choose`, near the end: for now it moves at random. `agon bot check .` tries
 * the bot out, `agon match atlantis . greedy --watch` lets it play. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_FIELDS = 4104, MAX_NAME = 24, LONGEST_LINE = 1 << 22 };
enum { OPEN, GROWING, DEAD };
enum { SEA = 0, NOBODY = -1 };

/* The neighbours of a field, clockwise from the one above: letters count x, numbers y. */
static const int STEPS[6][2] = {{1, 1}, {1, 0}, {0, -1}, {-1, -1}, {-1, 0}, {0, 1}};

typedef struct {
    char name[MAX_NAME]; /* b3 */
    long x, y;           /* 2, 3 */
    int segment, kind, owner, stones;
    int near[6]; /* places in `fields`, SEA where there is none */
} Field;

typedef struct {
    int source, direction, steps; /* as many stones as steps */
} Move;

/* The board: fields are counted from 1. */
static Field fields[MAX_FIELDS];
static int field_count, segment_count, players, turn;

static int seat(void) { return turn % players; }

/* --- Reading: as much of JSON as the arena sends --- */

static const char *at; /* what is read next */

static void skip_blanks(void) {
    while (*at == ' ' || *at == ',' || *at == ':') at++;
}

/* A text, without its escapes; what does not fit is left out. */
static void read_text(char *text, size_t size) {
    size_t length = 0;
    for (at++; *at != '"' && *at != '\0'; at++) {
        if (*at == '\\') at++;
        if (length + 1 < size) text[length++] = *at;
    }
    if (*at == '"') at++;
    text[length] = '\0';
}

/* Whether a list or an object goes on; steps behind its end if not. */
static bool goes_on(char end) {
    skip_blanks();
    if (*at != end && *at != '\0') return true;
    if (*at == end) at++;
    return false;
}

static void skip_value(void) {
    char text[2];
    int depth = 0;
    do {
        skip_blanks();
        if (*at == '"') {
            read_text(text, sizeof text);
            continue;
        }
        if (*at == '{' || *at == '[') depth++;
        if (*at == '}' || *at == ']') depth--;
        if (*at != '\0') at++;
        while (depth == 0 && *at != '\0' && strchr(",]} ", *at) == NULL) at++; /* a number */
    } while (depth > 0 && *at != '\0');
}

static int find_field(const char *name) {
    for (int field = 1; field <= field_count; field++)
        if (strcmp(fields[field].name, name) == 0) return field;
    return SEA;
}

static void add_field(const char *name) {
    if (field_count + 1 >= MAX_FIELDS) return;
    Field *field = &fields[++field_count];
    memset(field, 0, sizeof *field);
    snprintf(field->name, sizeof field->name, "%s", name);
    for (; *name >= 'a'; name++) field->x = 26 * field->x + *name - 'a' + 1;
    field->y = atol(name);
    field->segment = segment_count;
    field->owner = NOBODY;
}

static void read_segments(void) {
    char name[MAX_NAME];
    field_count = segment_count = 0;
    for (at++; goes_on(']'); segment_count++)
        for (at++; goes_on(']');) {
            read_text(name, sizeof name);
            add_field(name);
        }
    for (int a = 1; a <= field_count; a++)
        for (int b = 1; b <= field_count; b++)
            for (int i = 0; i < 6; i++)
                if (fields[b].x == fields[a].x + STEPS[i][0] &&
                    fields[b].y == fields[a].y + STEPS[i][1])
                    fields[a].near[i] = b;
}

static void read_stacks(void) {
    char name[MAX_NAME];
    for (at++; goes_on('}');) {
        read_text(name, sizeof name);
        skip_blanks();
        Field *field = &fields[find_field(name)];
        int stones = atoi(at);
        skip_value();
        field->owner = players;
        field->stones = abs(stones);
        field->kind = stones > 0 ? OPEN : stones < 0 ? GROWING : DEAD;
    }
}

static void read_players(void) {
    char key[MAX_NAME];
    players = 0;
    for (at++; goes_on(']'); players++)
        for (at++; goes_on('}');) {
            read_text(key, sizeof key);
            skip_blanks();
            if (strcmp(key, "stacks") == 0)
                read_stacks();
            else
                skip_value();
        }
}

/* --- The board --- */

/* The sea is dead, so that it is as good as no field. */
static bool is_open(int field) { return field != SEA && fields[field].kind == OPEN; }

static bool is_others(int field) {
    return fields[field].owner != NOBODY && fields[field].owner != seat();
}

static int open_around(int field) {
    int count = 0;
    for (int i = 0; i < 6; i++) count += is_open(fields[field].near[i]);
    return count;
}

static void add_stones(int field, int stones) {
    fields[field].owner = seat();
    fields[field].stones += stones;
}

/* A field is nobody's when no stone is left. */
static void take_stones(int field, int stones) {
    fields[field].stones -= stones;
    if (fields[field].stones == 0) fields[field].owner = NOBODY;
}

/* How far stones of a field get in a direction: as far as there are stones and open fields. */
static int reach(int source, int direction) {
    int steps = 0;
    for (int ahead = fields[source].near[direction];
         steps < fields[source].stones && is_open(ahead); ahead = fields[ahead].near[direction])
        steps++;
    return steps;
}

static int target_of(Move move) {
    int field = move.source;
    for (int i = 0; i < move.steps; i++) field = fields[field].near[move.direction];
    return field;
}

static Move find_move(int source, int target) {
    Move move = {source, 0, 1};
    for (move.direction = 0; move.direction < 6; move.direction++)
        for (move.steps = 1; move.steps <= reach(source, move.direction); move.steps++)
            if (target_of(move) == target) return move;
    return (Move){source, 0, 0};
}

/* --- What a turn does --- */

/* Stones go field by field, and fall with the stones of others that they meet. */
static void carry_out(Move move) {
    int field = move.source, moving = move.steps;
    take_stones(field, moving);
    for (int i = 0; i < move.steps; i++) {
        field = fields[field].near[move.direction];
        if (!is_others(field)) continue;
        int fallen = fields[field].stones < moving ? fields[field].stones : moving;
        take_stones(field, fallen);
        moving -= fallen;
        if (moving == 0) return;
    }
    add_stones(field, moving);
}

/* Whether a field of the seat holds at least as many stones as it has open neighbours. */
static bool is_volatile(int field) {
    return fields[field].kind != DEAD && fields[field].owner == seat() &&
           fields[field].stones >= open_around(field);
}

/* A stone for each open neighbour. */
static void explode(int field) {
    fields[field].kind++; /* open, growing, dead */
    fields[field].stones = 0;
    for (int i = 0; i < 6; i++) {
        int other = fields[field].near[i];
        if (!is_open(other)) continue;
        if (is_others(other))
            take_stones(other, 1);
        else
            add_stones(other, 1);
    }
}

/* Bring the board up to date after a turn: moves, explosions, growth. */
static void play(const Move *moves, int count) {
    bool is_quiet = false;
    for (int i = 0; i < count; i++) carry_out(moves[i]);
    while (!is_quiet) {
        is_quiet = true;
        for (int field = 1; field <= field_count; field++)
            if (is_volatile(field)) {
                explode(field);
                is_quiet = false;
            }
    }
    for (int field = 1; field <= field_count; field++)
        if (fields[field].kind == GROWING && fields[field].owner == seat()) fields[field].stones++;
    turn++;
}

static void read_turn(void) {
    static Move moves[MAX_FIELDS];
    int count = 0;
    for (at++; goes_on(']');) {
        char names[2][MAX_NAME] = {"", ""};
        int i = 0;
        for (at++; goes_on(']'); i++) read_text(names[i % 2], MAX_NAME);
        moves[count++] = find_move(find_field(names[0]), find_field(names[1]));
    }
    play(moves, count);
}

/* --- Playing --- */

/* Pick a move that starts in this segment, or none. This is where your bot begins. */
static bool choose(int segment, Move *chosen) {
    int seen = 0;
    for (int source = 1; source <= field_count; source++) {
        if (fields[source].segment != segment || !is_open(source)) continue;
        if (fields[source].owner != seat()) continue;
        for (int direction = 0; direction < 6; direction++)
            for (int steps = 1; steps <= reach(source, direction); steps++)
                if (rand() % ++seen == 0) *chosen = (Move){source, direction, steps};
    }
    return seen > 0 && rand() % 2 == 0;
}

static void answer(void) {
    const char *comma = "";
    Move move;
    printf("{\"moves\": [");
    for (int segment = 0; segment < segment_count; segment++)
        if (choose(segment, &move)) {
            printf("%s[\"%s\", \"%s\"]", comma, fields[move.source].name,
                   fields[target_of(move)].name);
            comma = ", ";
        }
    printf("]}\n");
    fflush(stdout); /* or the arena would wait for a full buffer */
}

/* Do what a line says. Its keys come in any order, but for segments, which come before players. */
static void obey(void) {
    char key[MAX_NAME], type[MAX_NAME] = "";
    for (at++; goes_on('}');) {
        read_text(key, sizeof key);
        skip_blanks();
        if (strcmp(key, "segments") == 0) { /* a new match; the key "you" has our seat */
            turn = 0;
            read_segments();
        } else if (strcmp(key, "players") == 0) {
            read_players();
        } else if (strcmp(key, "moves") == 0) { /* a turn of anybody, our own among them */
            read_turn();
        } else if (strcmp(key, "type") == 0) {
            read_text(type, sizeof type);
        } else {
            skip_value();
        }
    }
    if (strcmp(type, "your-turn") == 0) answer();
}

/* Read a line, do what it says; until there is no more input. */
int main(void) {
    static char line[LONGEST_LINE];
    srand((unsigned)time(NULL));
    while (fgets(line, sizeof line, stdin) != NULL) {
        at = line;
        obey();
    }
    return 0;
}
