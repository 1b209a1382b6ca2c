import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * A whole Atlantis bot: it reads what the arena says, keeps the board, and answers with moves.
 *
 * <p>Make it yours in {@code choose}, near the end: for now it moves at random. {@code agon bot
 * check .} tries the bot out, {@code agon match atlantis . greedy --watch} lets it play.
 */
public class AtlantisBot {
    // The neighbours of a field, clockwise from the one above: letters count x, numbers y.
    static final int[][] STEPS = {{1, 1}, {1, 0}, {0, -1}, {-1, -1}, {-1, 0}, {0, 1}};
    static final int OPEN = 0;
    static final int GROWING = 1;
    static final int DEAD = 2;
    static final int NOBODY = -1;

    /** A field; near has its neighbours by direction, null where there is none. */
    static class Field {
        String name;
        int segment;
        int kind = OPEN;
        int owner = NOBODY;
        int stones = 0;
        Field[] near = new Field[6];

        boolean isOpen() {
            return kind == OPEN;
        }

        int openAround() {
            return (int) Arrays.stream(near).filter(n -> n != null && n.isOpen()).count();
        }
    }

    /** So many steps from the source, with as many stones. */
    record Move(Field source, int direction, int steps) {
        Field target() {
            Field field = source;
            for (int i = 0; i < steps; i++) field = field.near[direction];
            return field;
        }

        String write() {
            return "[\"" + source.name + "\", \"" + target().name + "\"]";
        }
    }

    // The board.
    private final int players;
    private int turn = 0;
    private final Map<String, Field> fields = new LinkedHashMap<>();

    /** A new match, from the first line of the arena. */
    AtlantisBot(Map<?, ?> transcript) {
        int segment = 0;
        for (Object names : (List<?>) transcript.get("segments")) {
            for (Object name : (List<?>) names) {
                Field field = new Field();
                field.name = (String) name;
                field.segment = segment;
                fields.put(field.name, field);
            }
            segment++;
        }
        for (Field field : fields.values()) {
            int[] place = parsePlace(field.name);
            for (int i = 0; i < 6; i++) {
                String beside = formatPlace(place[0] + STEPS[i][0], place[1] + STEPS[i][1]);
                field.near[i] = fields.get(beside);
            }
        }
        int seat = 0;
        for (Object player : (List<?>) transcript.get("players")) {
            for (Map.Entry<?, ?> stack : ((Map<?, ?>) ((Map<?, ?>) player).get("stacks")).entrySet()) {
                Field field = fields.get((String) stack.getKey());
                int stones = (Integer) stack.getValue();
                field.owner = seat;
                field.stones = Math.abs(stones);
                field.kind = stones > 0 ? OPEN : stones < 0 ? GROWING : DEAD;
            }
            seat++;
        }
        players = seat;
    }

    static int[] parsePlace(String name) {
        int x = 0;
        int i = 0;
        for (; Character.isLetter(name.charAt(i)); i++) x = 26 * x + name.charAt(i) - 'a' + 1;
        return new int[] {x, Integer.parseInt(name.substring(i))};
    }

    static String formatPlace(int x, int y) {
        StringBuilder letters = new StringBuilder();
        for (; x > 0; x = (x - 1) / 26) letters.insert(0, (char) ('a' + (x - 1) % 26));
        return letters.toString() + y;
    }

    int seat() {
        return turn % players;
    }

    /** All moves of the seat whose turn it is, by segment: a turn has at most one of each. */
    Map<Integer, List<Move>> legalMoves() {
        Map<Integer, List<Move>> moves = new LinkedHashMap<>();
        for (Field source : fields.values()) {
            if (!source.isOpen() || source.owner != seat()) continue;
            for (int direction = 0; direction < 6; direction++) {
                Field ahead = source.near[direction];
                for (int n = 1; n <= source.stones && ahead != null && ahead.isOpen(); n++) {
                    Move move = new Move(source, direction, n);
                    moves.computeIfAbsent(source.segment, key -> new ArrayList<>()).add(move);
                    ahead = ahead.near[direction];
                }
            }
        }
        return moves;
    }

    Move read(List<?> names) {
        Field source = fields.get((String) names.get(0));
        Field target = fields.get((String) names.get(1));
        for (int direction = 0; direction < 6; direction++) {
            int steps = 0;
            for (Field f = source; f != null && f.isOpen(); f = f.near[direction]) {
                if (f == target) return new Move(source, direction, steps);
                steps++;
            }
        }
        throw new IllegalStateException("a move that is not straight");
    }

    // --- What a turn does ---

    /** Bring the board up to date after a turn: moves, explosions, growth. */
    void play(List<Move> moves) {
        for (Move move : moves) carryOut(move);
        Deque<Field> exploding = new ArrayDeque<>(fields.values());
        while (!exploding.isEmpty()) {
            Field field = exploding.pop();
            if (isVolatile(field)) {
                explode(field);
                exploding.push(field);
                Arrays.stream(field.near).filter(Objects::nonNull).forEach(exploding::push);
            }
        }
        for (Field field : fields.values()) {
            if (field.kind == GROWING && field.owner == seat()) field.stones++;
        }
        turn++;
    }

    /** Stones go field by field, and fall with the stones of others that they meet. */
    void carryOut(Move move) {
        Field field = move.source();
        int moving = move.steps();
        take(field, moving);
        for (int i = 0; i < move.steps(); i++) {
            field = field.near[move.direction()];
            if (isOthers(field)) {
                int fallen = Math.min(moving, field.stones);
                take(field, fallen);
                moving -= fallen;
                if (moving == 0) return;
            }
        }
        add(field, moving);
    }

    boolean isOthers(Field field) {
        return field.owner != NOBODY && field.owner != seat();
    }

    /** Whether a field of the seat holds at least as many stones as it has open neighbours. */
    boolean isVolatile(Field field) {
        return field.kind != DEAD && field.owner == seat() && field.stones >= field.openAround();
    }

    /** A stone for each open neighbour. */
    void explode(Field field) {
        field.kind++; // open, growing, dead
        field.stones = 0;
        for (Field near : field.near) {
            if (near == null || !near.isOpen()) continue;
            if (isOthers(near)) take(near, 1);
            else add(near, 1);
        }
    }

    void add(Field field, int stones) {
        field.owner = seat();
        field.stones += stones;
    }

    /** A field is nobody's when no stone is left. */
    void take(Field field, int stones) {
        field.stones -= stones;
        if (field.stones == 0) field.owner = NOBODY;
    }

    // --- Playing ---

    /** Pick a move from some of the segments, or none at all. This is where your bot begins. */
    List<Move> choose(Map<Integer, List<Move>> segments, Random chance) {
        List<Move> chosen = new ArrayList<>();
        for (List<Move> moves : segments.values()) {
            if (chance.nextBoolean()) chosen.add(moves.get(chance.nextInt(moves.size())));
        }
        return chosen;
    }

    /** Read a line, do what it says; until there is no more input. */
    public static void main(String[] arguments) throws IOException {
        Random chance = new Random();
        AtlantisBot bot = null;
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            Map<?, ?> message = (Map<?, ?>) new Json(line).value();
            if (message.containsKey("format")) { // a new match; message.get("you") is our seat
                bot = new AtlantisBot(message);
            } else if (bot != null && message.get("type").equals("turn")) { // of anybody
                List<Move> moves = new ArrayList<>();
                for (Object move : (List<?>) message.get("moves")) moves.add(bot.read((List<?>) move));
                bot.play(moves);
            } else if (bot != null && message.get("type").equals("your-turn")) {
                List<Move> chosen = bot.choose(bot.legalMoves(), chance);
                String texts = chosen.stream().map(Move::write).collect(Collectors.joining(", "));
                System.out.println("{\"moves\": [" + texts + "]}");
                System.out.flush();
            }
        }
    }

    /** As much of JSON as the arena sends: objects, lists, texts, whole numbers. */
    static class Json {
        private final String text;
        private int at = 0;

        Json(String text) {
            this.text = text;
        }

        Object value() {
            char first = next();
            if (first == '{') return object();
            if (first == '[') return list();
            if (first == '"') return string();
            int start = at;
            while (at < text.length() && ",]} ".indexOf(text.charAt(at)) < 0) at++;
            String word = text.substring(start, at);
            return word.matches("-?[0-9]{1,9}") ? (Object) Integer.valueOf(word) : word;
        }

        private char next() {
            while (text.charAt(at) == ' ') at++;
            return text.charAt(at);
        }

        private Map<String, Object> object() {
            Map<String, Object> found = new LinkedHashMap<>();
            at++;
            while (next() != '}') {
                String key = string();
                next();
                at++; // the colon
                found.put(key, value());
                if (next() == ',') at++;
                next();
            }
            at++;
            return found;
        }

        private List<Object> list() {
            List<Object> found = new ArrayList<>();
            at++;
            while (next() != ']') {
                found.add(value());
                if (next() == ',') at++;
            }
            at++;
            return found;
        }

        private String string() {
            StringBuilder found = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                if (text.charAt(at) == '\\') at++; // escapes are in names only, which we do not use
                found.append(text.charAt(at));
            }
            at++;
            return found.toString();
        }
    }
}
