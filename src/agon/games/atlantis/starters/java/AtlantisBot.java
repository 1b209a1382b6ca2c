import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An Atlantis bot that asks the arena for the legal moves, and chooses some of them.
 *
 * <p>Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match atlantis . greedy
 * --watch` lets it play.
 */
public final class AtlantisBot {
    /** A move such as ["a1", "c3"]; a bracket behind it ends the list of its segment. */
    private static final Pattern MOVE = Pattern.compile("(\\[\"\\w+\", \"\\w+\"\\])(\\])?");
    private static final Random RANDOM = new Random();

    /**
     * Picks one of the moves that start in a segment, or null. This is where your bot begins. A move
     * says from where to where: ["a1", "c3"] takes two stones two steps.
     */
    static String choose(List<String> moves) {
        return RANDOM.nextBoolean() ? moves.get(RANDOM.nextInt(moves.size())) : null;
    }

    static String answer(String line) {
        List<String> segment = new ArrayList<>();
        List<String> chosen = new ArrayList<>();
        Matcher found = MOVE.matcher(line);
        while (found.find()) {
            segment.add(found.group(1));
            if (found.group(2) != null) {
                String move = choose(segment);
                if (move != null) {
                    chosen.add(move);
                }
                segment.clear();
            }
        }
        return "{\"moves\": [" + String.join(", ", chosen) + "]}";
    }

    public static void main(String[] args) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("legal"); // our first line: we want the legal moves with every question
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            if (line.contains("\"type\": \"legal\"")) {
                System.out.println(answer(line));
            } // other lines: the board at the beginning of a match, all players' turns, the end
        }
    }
}
