import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A whole Hive bot: it reads what the arena says, keeps the board, and answers with legal moves.
 *
 * <p>Make it yours in {@code choose}, near the end: for now it takes any legal move. {@code agon bot
 * check .} tries the bot out, {@code agon match hive . greedy --watch} lets it play.
 */
public class HiveBot {
    // A cell is a number: +1 is one to the right, +64 one to the lower right. Numbers wrap around
    // at 4096, which no hive is long enough to notice. These are the steps to the six neighbours,
    // clockwise, and the points of contact that name them: the first one puts a tile at another's
    // upper left, the next at its upper right.
    static final int CELLS = 4096;
    static final int START = 2080;
    static final int[] STEPS = {-64, -63, 1, 64, 63, -1};
    static final List<String> CONTACTS = List.of("/*", "*\\", "*|", "*/", "\\*", "|*");

    /** A tile such as wG1, and the cell where it ends. A pass is null. */
    record Move(String tile, int target) {}

    // The board.
    private final Map<Character, Integer> tiles = new LinkedHashMap<>(); // how many of each kind
    private final boolean queenFirst;
    private final Map<Integer, ArrayList<String>> stacks = new LinkedHashMap<>(); // bottom to top
    private int turn = 0;
    private String moved = ""; // the tile that the last turn moved: no pillbug throws it now

    /** A new match; options are the words of the arena's line, such as variant=Base+MLP. */
    HiveBot(List<String> options) {
        tiles.put('Q', 1);
        tiles.put('S', 2);
        tiles.put('B', 2);
        tiles.put('G', 3);
        tiles.put('A', 3);
        for (String option : options) {
            if (option.startsWith("variant=Base+")) {
                for (char kind : option.substring(13).toCharArray()) tiles.put(kind, 1);
            }
        }
        queenFirst = options.contains("queen_first=on");
    }

    char side() {
        return "wb".charAt(turn % 2);
    }

    static int add(int cell, int step) {
        return (cell + step + CELLS) % CELLS;
    }

    /** The neighbour number i, clockwise; the two cells beside the way to it are i-1 and i+1. */
    static int near(int cell, int i) {
        return add(cell, STEPS[(i + 6) % 6]);
    }

    boolean isTaken(int cell) {
        return stacks.containsKey(cell);
    }

    int height(int cell) {
        return isTaken(cell) ? stacks.get(cell).size() : 0;
    }

    /** The visible tile of an occupied cell. */
    String top(int cell) {
        return stacks.get(cell).get(height(cell) - 1);
    }

    /** Where a tile lies, or -1: in the hand. */
    int find(String tile) {
        for (var entry : stacks.entrySet()) {
            if (entry.getValue().contains(tile)) return entry.getKey();
        }
        return -1;
    }

    void put(String tile, int cell) {
        stacks.computeIfAbsent(cell, any -> new ArrayList<>()).add(tile);
    }

    String lift(int cell) {
        List<String> stack = stacks.get(cell);
        String tile = stack.remove(stack.size() - 1);
        if (stack.isEmpty()) stacks.remove(cell);
        return tile;
    }

    /** How many tiles, such as wG, are on the board. */
    int count(String kind) {
        int found = 0;
        for (List<String> stack : stacks.values()) {
            for (String tile : stack) if (tile.startsWith(kind)) found++;
        }
        return found;
    }

    /** The visible tiles around a cell. */
    List<String> touching(int cell) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < 6; i++) if (isTaken(near(cell, i))) found.add(top(near(cell, i)));
        return found;
    }

    /** Whether all tiles hang together. */
    boolean isOneHive() {
        List<Integer> seen = new ArrayList<>();
        if (!stacks.isEmpty()) seen.add(stacks.keySet().iterator().next());
        for (int k = 0; k < seen.size(); k++) {
            for (int i = 0; i < 6; i++) {
                int cell = near(seen.get(k), i);
                if (isTaken(cell) && !seen.contains(cell)) seen.add(cell);
            }
        }
        return seen.size() == stacks.size();
    }

    // --- Moves as text ---

    /** The move that a text of the arena stands for; null: a pass. */
    Move read(String text) {
        if (text.equals("pass")) return null;
        String tile = text.substring(0, 3);
        if (text.length() == 3) return new Move(tile, START); // the first tile of the match
        int reference = find(text.substring(5));
        int contact = CONTACTS.indexOf(text.substring(3, 5));
        return new Move(tile, contact == -1 ? reference : near(reference, contact)); // =* is on top
    }

    /** A move as text. Any tile beside the target will do, but not the one that moves. */
    String write(Move move) {
        if (move == null) return "pass";
        if (isTaken(move.target)) return move.tile + "=*" + top(move.target);
        for (int i = 0; i < 6; i++) {
            int cell = near(move.target, i + 3); // the target is its neighbour number i
            List<String> others = new ArrayList<>(isTaken(cell) ? stacks.get(cell) : List.of());
            others.remove(move.tile);
            if (!others.isEmpty()) {
                return move.tile + CONTACTS.get(i) + others.get(others.size() - 1);
            }
        }
        return move.tile;
    }

    /** Bring the board up to date after a turn of either side. */
    void play(Move move) {
        turn++;
        moved = "";
        if (move == null) return;
        int origin = find(move.tile);
        if (origin != -1) moved = lift(origin);
        put(move.tile, move.target);
    }

    // --- Which moves are legal ---

    /** All moves of the side whose turn it is; with none of them it has to pass. */
    List<Move> legalMoves() {
        Set<Move> moves = new LinkedHashSet<>(); // what can be done in two ways counts once
        addPlacements(moves);
        if (find(side() + "Q1") != -1) addTileMoves(moves); // nothing moves before the own queen
        return new ArrayList<>(moves);
    }

    /** New tiles touch own tiles only; the queen comes second to fourth. */
    void addPlacements(Set<Move> moves) {
        int ownTurn = turn / 2 + 1;
        boolean queenOnly = ownTurn >= 4 && find(side() + "Q1") == -1;
        for (char kind : tiles.keySet()) {
            int number = count("" + side() + kind) + 1;
            if (number > tiles.get(kind)) continue;
            if (kind == 'Q' ? ownTurn == 1 && !queenFirst : queenOnly) continue;
            for (int cell : placeableCells()) moves.add(new Move("" + side() + kind + number, cell));
        }
    }

    Set<Integer> placeableCells() {
        if (turn == 0) return Set.of(START);
        Set<Integer> cells = new LinkedHashSet<>();
        for (int taken : stacks.keySet()) {
            for (int i = 0; i < 6; i++) {
                int cell = near(taken, i);
                boolean isOwn = touching(cell).stream().allMatch(tile -> tile.charAt(0) == side());
                if (!isTaken(cell) && (turn == 1 || isOwn)) cells.add(cell);
            }
        }
        return cells;
    }

    /** What tiles on the board do: walk by themselves, or be thrown by an own pillbug. */
    void addTileMoves(Set<Move> moves) {
        List<Integer> occupied = new ArrayList<>(stacks.keySet());
        List<Integer> throwers = occupied.stream().filter(this::canThrow).toList();
        for (int cell : occupied) {
            String tile = lift(cell); // all rules look at the hive without the tile that moves
            Set<Integer> ends = new LinkedHashSet<>();
            if (!tile.equals(moved) && isOneHive()) {
                if (tile.charAt(0) == side()) ends.addAll(walks(tile.charAt(1), cell));
                if (!isTaken(cell)) ends.addAll(throwsOf(cell, throwers)); // no tile in a stack
            }
            put(tile, cell);
            for (int end : ends) moves.add(new Move(tile, end));
        }
    }

    /** Where a tile of that kind gets from its cell, from which it is lifted. */
    Set<Integer> walks(char kind, int start) {
        Set<Integer> ends = new LinkedHashSet<>();
        switch (kind) {
            case 'S' -> crawl(List.of(start), ends);
            case 'A' -> march(start, ends);
            case 'G' -> jump(start, ends);
            case 'L' -> fly(start, ends);
            case 'B' -> {
                for (int cell : climbs(start)) if (isTaken(start) || isTaken(cell)) ends.add(cell);
                if (!isTaken(start)) ends.addAll(slides(start));
            }
            case 'M' -> { // a beetle on top, else whatever it touches
                if (isTaken(start)) return walks('B', start);
                for (String tile : touching(start)) {
                    if (tile.charAt(1) != 'M') ends.addAll(walks(tile.charAt(1), start));
                }
            }
            default -> ends.addAll(slides(start)); // the queen and the pillbug
        }
        return ends;
    }

    /** One step on the ground: of the two cells beside the way just one is occupied. */
    List<Integer> slides(int start) {
        List<Integer> ends = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            boolean isOneSide = isTaken(near(start, i - 1)) != isTaken(near(start, i + 1));
            if (!isTaken(near(start, i)) && isOneSide) ends.add(near(start, i));
        }
        return ends;
    }

    /** One step up, along or down: not between two stacks that are higher than both ends. */
    List<Integer> climbs(int start) {
        List<Integer> ends = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int level = Math.max(height(start), height(near(start, i)));
            int gate = Math.min(height(near(start, i - 1)), height(near(start, i + 1)));
            if (gate <= level) ends.add(near(start, i));
        }
        return ends;
    }

    /** The spider: three slides, and no cell twice. */
    void crawl(List<Integer> path, Set<Integer> ends) {
        int last = path.get(path.size() - 1);
        if (path.size() == 4) {
            ends.add(last);
            return;
        }
        for (int cell : slides(last)) {
            if (path.contains(cell)) continue;
            List<Integer> longer = new ArrayList<>(path);
            longer.add(cell);
            crawl(longer, ends);
        }
    }

    /** The ant: as many slides as it likes. */
    void march(int start, Set<Integer> ends) {
        List<Integer> seen = new ArrayList<>(List.of(start));
        for (int k = 0; k < seen.size(); k++) {
            for (int cell : slides(seen.get(k))) if (!seen.contains(cell)) seen.add(cell);
        }
        ends.addAll(seen.subList(1, seen.size()));
    }

    /** The grasshopper: straight over one or more tiles to the first empty cell. */
    void jump(int start, Set<Integer> ends) {
        for (int step : STEPS) {
            int cell = add(start, step);
            if (!isTaken(cell)) continue;
            while (isTaken(cell)) cell = add(cell, step);
            ends.add(cell);
        }
    }

    /** The ladybug: up, along the top, down. */
    void fly(int start, Set<Integer> ends) {
        for (int first : climbs(start)) {
            if (!isTaken(first)) continue;
            for (int second : climbs(first)) {
                if (!isTaken(second)) continue;
                for (int third : climbs(second)) {
                    if (!isTaken(third) && third != start) ends.add(third);
                }
            }
        }
    }

    /** Whether an own pillbug lies there, or a mosquito on the ground that touches one. */
    boolean canThrow(int cell) {
        String tile = top(cell);
        if (tile.charAt(0) != side() || tile.equals(moved) || height(cell) > 1) return false;
        boolean touchesOne = touching(cell).stream().anyMatch(other -> other.charAt(1) == 'P');
        return tile.charAt(1) == 'P' || (tile.charAt(1) == 'M' && touchesOne);
    }

    /** Where the tile lifted from `start` can be thrown: onto a pillbug, and down again. */
    List<Integer> throwsOf(int start, List<Integer> throwers) {
        List<Integer> ends = new ArrayList<>();
        for (int over : climbs(start)) {
            if (!throwers.contains(over)) continue;
            for (int cell : climbs(over)) if (!isTaken(cell) && cell != start) ends.add(cell);
        }
        return ends;
    }

    // --- Playing ---

    static final Random CHANCE = new Random();

    /** Pick one of the legal moves. This is where your bot begins. */
    Move choose(List<Move> moves) {
        return moves.get(CHANCE.nextInt(moves.size()));
    }

    /** Read a line, do what it says, answer if it is our turn; until there is no more input. */
    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        HiveBot hive = new HiveBot(List.of());
        char colour = '?';
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            List<String> words = List.of(line.trim().split(" "));
            switch (words.get(0)) {
                case "options" -> hive = new HiveBot(words); // options variant=Base turn_ms=1000 ...
                case "colour" -> colour = words.get(1).charAt(0); // colour white
                case "end" -> colour = '?'; // end black white queen surrounded
                default -> hive.play(hive.read(words.get(0))); // a move of the other side
            }
            if (hive.side() == colour) {
                List<Move> moves = hive.legalMoves();
                Move move = moves.isEmpty() ? null : hive.choose(moves);
                System.out.println(hive.write(move));
                System.out.flush(); // or the arena would wait for a full buffer
                hive.play(move);
            }
        }
    }
}
