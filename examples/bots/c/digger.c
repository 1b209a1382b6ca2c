/* Digger, a Hive bot: it looks two turns ahead, its own and the reply, as long as turn_ms allows.
 *
 * The rules are the starter's (`agon bot new hive --language c`); what is its own begins at
 * "Thinking". */

#define _POSIX_C_SOURCE 199309L
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A cell is a number: +1 is one to the right, +64 one to the lower right. Numbers wrap around at
 * 4096, which no hive is long enough to notice. These are the steps to the six neighbours,
 * clockwise, and the points of contact that name them: the first one puts a tile at another's
 * upper left, the next at its upper right. */
enum { CELLS = 4096, START = 2080, MAX_TILES = 28, MAX_MOVES = 4096, NONE = -1, PASS = -1 };
static const int STEPS[6] = {-64, -63, 1, 64, 63, -1};
static const char *const CONTACTS[6] = {"/*", "*\\", "*|", "*/", "\\*", "|*"};

typedef struct {
    char name[4]; /* wG2 */
    int cell;     /* where it lies, or NONE: in the hand */
    int under;    /* the tile below it, or NONE */
} Tile;

typedef struct {
    int tile; /* a place in `tiles`, or PASS */
    int target;
} Move;

typedef struct {
    int count;
    Move moves[MAX_MOVES];
} MoveList;

typedef struct {
    int count;
    int cells[CELLS];
    bool has[CELLS];
} CellSet;

/* The board. */
static Tile tiles[MAX_TILES];
static int tile_count;
static int top[CELLS];    /* the visible tile of each cell, or NONE */
static int height[CELLS]; /* how many tiles lie there */
static bool queen_first;
static int turn;
static int moved; /* the tile that the last turn moved, or NONE: no pillbug throws it now */

static char side(void) { return "wb"[turn % 2]; }

static char kind_of(int tile) { return tiles[tile].name[1]; }

static bool is_own(int tile) { return tiles[tile].name[0] == side(); }

/* The neighbour in direction i, clockwise: the two cells beside the way to it are i-1 and i+1. */
static int near(int cell, int i) { return (cell + STEPS[(i + 6) % 6] + CELLS) % CELLS; }

static void add_tiles(char kind, int count) {
    for (int number = 1; number <= count; number++)
        for (int s = 0; s < 2; s++) {
            Tile *tile = &tiles[tile_count++];
            snprintf(tile->name, sizeof tile->name, "%c%c%d", "wb"[s], kind, number);
            tile->cell = tile->under = NONE;
        }
}

/* A new match; `options` is the rest of the arena's line, such as variant=Base+MLP ... */
static void start_match(const char *options) {
    const char *variant = strstr(options, "variant=Base+");
    tile_count = turn = 0;
    moved = NONE;
    queen_first = strstr(options, "queen_first=on") != NULL;
    for (int cell = 0; cell < CELLS; cell++) top[cell] = NONE, height[cell] = 0;
    add_tiles('Q', 1), add_tiles('S', 2), add_tiles('B', 2), add_tiles('G', 3), add_tiles('A', 3);
    if (variant != NULL)
        for (const char *kind = variant + 13; *kind >= 'A' && *kind <= 'Z'; kind++)
            add_tiles(*kind, 1);
}

static void put(int tile, int cell) {
    tiles[tile].cell = cell;
    tiles[tile].under = top[cell];
    top[cell] = tile;
    height[cell]++;
}

static int lift(int cell) {
    int tile = top[cell];
    top[cell] = tiles[tile].under;
    tiles[tile].cell = tiles[tile].under = NONE;
    height[cell]--;
    return tile;
}

static int find_tile(const char *name) {
    for (int tile = 0; tile < tile_count; tile++)
        if (strncmp(tiles[tile].name, name, 3) == 0) return tile;
    return NONE;
}

static int own_queen(void) { return find_tile(side() == 'w' ? "wQ1" : "bQ1"); }

/* Whether all tiles hang together. */
static bool is_one_hive(void) {
    bool seen[CELLS] = {false};
    int waiting[MAX_TILES], count = 0, found = 0, occupied = 0;
    for (int tile = 0; tile < tile_count; tile++) {
        if (tiles[tile].cell == NONE || tiles[tile].under != NONE) continue;
        if (occupied++ == 0) {
            waiting[count++] = tiles[tile].cell;
            seen[tiles[tile].cell] = true;
        }
    }
    while (count > 0) {
        int cell = waiting[--count];
        found++;
        for (int i = 0; i < 6; i++) {
            int next = near(cell, i);
            if (height[next] > 0 && !seen[next]) {
                seen[next] = true;
                waiting[count++] = next;
            }
        }
    }
    return found == occupied;
}

/* --- Moves as text --- */

/* The move that a text of the arena stands for. */
static Move read_move(const char *text) {
    Move move = {PASS, NONE};
    if (strcmp(text, "pass") == 0) return move;
    move.tile = find_tile(text);
    move.target = START; /* the first tile of the match stands alone */
    if (strlen(text) == 8) {
        move.target = tiles[find_tile(text + 5)].cell; /* "=*": on top */
        for (int i = 0; i < 6; i++)
            if (strncmp(text + 3, CONTACTS[i], 2) == 0) {
                move.target = near(move.target, i);
                break;
            }
    }
    return move;
}

/* A move as text. Any tile beside the target will do, but not the one that moves. */
static void write_move(Move move, char text[9]) {
    if (move.tile == PASS) {
        strcpy(text, "pass");
        return;
    }
    const char *name = tiles[move.tile].name;
    if (height[move.target] > 0) {
        snprintf(text, 9, "%s=*%s", name, tiles[top[move.target]].name);
        return;
    }
    strcpy(text, name);
    for (int i = 0; i < 6; i++) {
        int other = top[near(move.target, i + 3)]; /* the target is its neighbour number i */
        if (other == move.tile) other = tiles[other].under;
        if (other != NONE) {
            snprintf(text, 9, "%s%s%s", name, CONTACTS[i], tiles[other].name);
            return;
        }
    }
}

/* Bring the board up to date after a turn of either side. */
static void play(Move move) {
    turn++;
    moved = NONE;
    if (move.tile == PASS) return;
    if (tiles[move.tile].cell != NONE) moved = lift(tiles[move.tile].cell);
    put(move.tile, move.target);
}

/* --- Single steps; the tile that moves is lifted --- */

/* On the ground: of the two cells beside the way just one is occupied. */
static bool can_slide(int start, int i) {
    bool left = height[near(start, i - 1)] > 0, right = height[near(start, i + 1)] > 0;
    return height[near(start, i)] == 0 && left != right;
}

/* Up, along or down: not between two stacks that are higher than both ends. */
static bool can_climb(int start, int i) {
    int left = height[near(start, i - 1)], right = height[near(start, i + 1)];
    int target = height[near(start, i)];
    int level = height[start] > target ? height[start] : target;
    return left <= level || right <= level;
}

/* --- How each kind walks --- */

static void add_cell(CellSet *set, int cell) {
    if (set->has[cell]) return;
    set->has[cell] = true;
    set->cells[set->count++] = cell;
}

static void slides(int start, CellSet *ends) {
    for (int i = 0; i < 6; i++)
        if (can_slide(start, i)) add_cell(ends, near(start, i));
}

/* Steps to occupied cells, to empty ones, or to both. */
static void climbs(int start, bool up, bool down, CellSet *ends) {
    for (int i = 0; i < 6; i++) {
        int target = near(start, i);
        if (can_climb(start, i) && (height[target] > 0 ? up : down)) add_cell(ends, target);
    }
}

/* The spider: three slides, and no cell twice. */
static void crawls(const int path[4], int length, CellSet *ends) {
    if (length == 4) {
        add_cell(ends, path[3]);
        return;
    }
    for (int i = 0; i < 6; i++) {
        int longer[4], cell = near(path[length - 1], i);
        bool is_new = true;
        for (int k = 0; k < length; k++) {
            longer[k] = path[k];
            if (path[k] == cell) is_new = false;
        }
        longer[length] = cell;
        if (is_new && can_slide(path[length - 1], i)) crawls(longer, length + 1, ends);
    }
}

/* The ant: as many slides as it likes. */
static void marches(int start, CellSet *ends) {
    static CellSet seen;
    memset(&seen, 0, sizeof seen);
    add_cell(&seen, start);
    for (int k = 0; k < seen.count; k++) slides(seen.cells[k], &seen);
    for (int k = 1; k < seen.count; k++) add_cell(ends, seen.cells[k]);
}

/* The grasshopper: straight over one or more tiles to the first empty cell. */
static void jumps(int start, CellSet *ends) {
    for (int i = 0; i < 6; i++) {
        int cell = near(start, i);
        if (height[cell] == 0) continue;
        while (height[cell] > 0) cell = near(cell, i);
        add_cell(ends, cell);
    }
}

/* The ladybug: up, along the top, down. */
static void flies(int start, CellSet *ends) {
    for (int i = 0; i < 6; i++) {
        int first = near(start, i);
        if (height[first] == 0 || !can_climb(start, i)) continue;
        for (int j = 0; j < 6; j++) {
            int second = near(first, j);
            if (height[second] == 0 || !can_climb(first, j)) continue;
            for (int k = 0; k < 6; k++) {
                int third = near(second, k);
                if (height[third] == 0 && third != start && can_climb(second, k))
                    add_cell(ends, third);
            }
        }
    }
}

/* Where a tile of that kind gets from its cell, from which it is lifted. */
static void walks(char kind, int start, CellSet *ends) {
    const int path[4] = {start};
    switch (kind) {
    case 'S': crawls(path, 1, ends); break;
    case 'A': marches(start, ends); break;
    case 'G': jumps(start, ends); break;
    case 'L': flies(start, ends); break;
    case 'B':
        climbs(start, true, height[start] > 0, ends);
        if (height[start] == 0) slides(start, ends);
        break;
    case 'M': /* the mosquito: a beetle on top, else whatever it touches */
        if (height[start] > 0) walks('B', start, ends);
        for (int i = 0; height[start] == 0 && i < 6; i++) {
            int other = top[near(start, i)];
            if (other != NONE && kind_of(other) != 'M') walks(kind_of(other), start, ends);
        }
        break;
    default: slides(start, ends); /* the queen and the pillbug */
    }
}

/* Whether an own pillbug lies there, or a mosquito on the ground that touches one. */
static bool can_throw(int cell) {
    int tile = top[cell];
    if (tile == NONE || !is_own(tile) || tile == moved || height[cell] > 1) return false;
    for (int i = 0; kind_of(tile) == 'M' && i < 6; i++) {
        int other = top[near(cell, i)];
        if (other != NONE && kind_of(other) == 'P') return true;
    }
    return kind_of(tile) == 'P';
}

/* Where the tile lifted from `start` can be thrown: onto a thrower, and down again. */
static void throws(int start, const bool is_thrower[6], CellSet *ends) {
    bool back = ends->has[start];
    ends->has[start] = true; /* not to where it was */
    for (int i = 0; i < 6; i++)
        if (is_thrower[i] && can_climb(start, i)) climbs(near(start, i), false, true, ends);
    ends->has[start] = back;
}

/* --- Which moves are legal --- */

static void add_move(MoveList *list, int tile, int target) {
    list->moves[list->count++] = (Move){tile, target};
}

/* Whether a new tile may lie there: it touches own tiles only. */
static bool can_place(int cell) {
    int touching = 0;
    for (int i = 0; i < 6; i++) {
        int other = top[near(cell, i)];
        if (other != NONE && turn > 1 && !is_own(other)) return false;
        touching += other != NONE;
    }
    return height[cell] == 0 && (turn == 0 ? cell == START : touching > 0);
}

static void placements(MoveList *list) {
    int own_turn = turn / 2 + 1;
    bool queen_only = own_turn >= 4 && tiles[own_queen()].cell == NONE;
    char last = ' ';
    for (int tile = 0; tile < tile_count; tile++) {
        /* Tiles of a kind are alike: the first one in the hand is the next. */
        if (!is_own(tile) || tiles[tile].cell != NONE || kind_of(tile) == last) continue;
        last = kind_of(tile);
        if (last == 'Q' ? own_turn == 1 && !queen_first : queen_only) continue;
        for (int cell = 0; cell < CELLS; cell++)
            if (can_place(cell)) add_move(list, tile, cell);
    }
}

/* What the visible tile of a cell does: walk by itself, or be thrown by an own pillbug. */
static void tile_moves(int cell, MoveList *list) {
    static CellSet ends;
    bool is_thrower[6];
    memset(&ends, 0, sizeof ends);
    for (int i = 0; i < 6; i++) is_thrower[i] = can_throw(near(cell, i));
    int tile = lift(cell); /* all rules look at the hive without the tile that moves */
    if (tile != moved && is_one_hive()) {
        if (is_own(tile)) walks(kind_of(tile), cell, &ends);
        if (height[cell] == 0) throws(cell, is_thrower, &ends); /* no tile in a stack */
    }
    put(tile, cell);
    for (int k = 0; k < ends.count; k++) add_move(list, tile, ends.cells[k]);
}

/* All moves of the side whose turn it is; with none of them it has to pass. */
static void legal_moves(MoveList *list) {
    list->count = 0;
    placements(list);
    if (tiles[own_queen()].cell == NONE) return; /* nothing moves before the own queen */
    for (int tile = 0; tile < tile_count; tile++)
        if (tiles[tile].cell != NONE && top[tiles[tile].cell] == tile)
            tile_moves(tiles[tile].cell, list);
}

/* --- Thinking --- */

enum { WON = 100000 };
static long turn_ms = 1000;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* How many tiles stand around a side's queen. */
static int crowd(char of_side) {
    int cell = tiles[find_tile(of_side == 'w' ? "wQ1" : "bQ1")].cell, count = 0;
    for (int i = 0; cell != NONE && i < 6; i++) count += height[near(cell, i)] > 0;
    return count;
}

/* How good the position is for a side: cells around the queens, and tiles that lie free on top. */
static int like(char of_side) {
    int own = crowd(of_side), theirs = crowd(of_side == 'w' ? 'b' : 'w'), covering = 0;
    if (own == 6 || theirs == 6) return WON * ((theirs == 6) - (own == 6));
    for (int tile = 0; tile < tile_count; tile++)
        if (tiles[tile].cell != NONE && top[tiles[tile].cell] != tile)
            covering += tiles[tile].name[0] == of_side ? -1 : 1;
    return 10 * theirs * theirs - 12 * own * own + 5 * covering;
}

/* Play a move; `undo` with what comes back restores the board. */
typedef struct {
    int origin, moved;
} Undo;

static Undo try_out(Move move) {
    Undo undo = {move.tile == PASS ? NONE : tiles[move.tile].cell, moved};
    play(move);
    return undo;
}

static void take_back(Move move, Undo undo) {
    turn--;
    moved = undo.moved;
    if (move.tile == PASS) return;
    lift(move.target);
    if (undo.origin != NONE) put(move.tile, undo.origin);
}

/* What the position is worth to `of_side` after the other side's best reply. Once it is down to
 * `enough`, there is a better move already, and the other replies do not matter. */
static int after_reply(char of_side, int enough) {
    static MoveList replies;
    int worst = WON * 2;
    if (crowd('w') == 6 || crowd('b') == 6) return like(of_side);
    legal_moves(&replies);
    if (replies.count == 0) return like(of_side);
    for (int k = 0; k < replies.count && worst > enough; k++) {
        Undo undo = try_out(replies.moves[k]);
        int score = like(of_side);
        take_back(replies.moves[k], undo);
        if (score < worst) worst = score;
    }
    return worst;
}

/* The move with the best worst case; among equals, chance decides. */
static Move choose(MoveList *list) {
    double deadline = seconds() + 0.5 * (double)turn_ms / 1000;
    char own = side();
    int best = 0, best_score = -2 * WON;
    for (int k = list->count - 1; k > 0; k--) { /* shuffle */
        int other = rand() % (k + 1);
        Move move = list->moves[k];
        list->moves[k] = list->moves[other];
        list->moves[other] = move;
    }
    for (int k = 0; k < list->count && seconds() < deadline; k++) {
        Undo undo = try_out(list->moves[k]);
        int score = after_reply(own, best_score);
        take_back(list->moves[k], undo);
        if (score > best_score) {
            best_score = score;
            best = k;
        }
    }
    return list->moves[best];
}

static void answer(void) {
    static MoveList list;
    char text[9];
    Move move = {PASS, NONE};
    legal_moves(&list);
    if (list.count > 0) move = choose(&list);
    write_move(move, text);
    printf("%s\n", text);
    fflush(stdout); /* or the arena would wait for a full buffer */
    play(move);
}

/* Read a line, do what it says, answer if it is our turn; until there is no more input. */
int main(void) {
    char line[1024], colour = '?';
    srand((unsigned)time(NULL));
    start_match("");
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, "options ", 8) == 0) { /* options variant=Base queen_first=off ... */
            const char *time_limit = strstr(line, "turn_ms=");
            turn_ms = time_limit == NULL ? 1000 : atol(time_limit + 8);
            start_match(line + 8);
        } else if (strncmp(line, "colour ", 7) == 0) /* colour white */
            colour = line[7];
        else if (strncmp(line, "end ", 4) == 0) /* end black white queen surrounded */
            colour = '?';
        else /* a move of the other side */
            play(read_move(line));
        if (side() == colour) answer();
    }
    return 0;
}
