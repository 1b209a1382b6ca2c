import java.io.IOException;
import java.io.PrintStream;
import java.net.Socket;
import java.util.List;
import java.util.Random;
import java.util.Scanner;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Skyport bot that asks the arena what it may do, and chooses: java SkyportBot NAME HOST PORT
 *
 * <p>Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match skyport . random
 * --watch` lets it play.
 */
public final class SkyportBot {
    /** A message in the list of those that we may send. */
    private static final Pattern MESSAGE = Pattern.compile("\\{[^{}]*\\}");
    private static final Random RANDOM = new Random();

    /**
     * Picks one of the messages that we may send now. This is where your bot begins. At first they
     * are loadouts. This mines and upgrades where it can, else it moves; it does not shoot.
     */
    static String choose(List<String> legal) {
        for (String liked : List.of("\"mine\"", "\"upgrade\"", "\"move\"", "")) {
            List<String> found = legal.stream().filter(text -> text.contains(liked)).toList();
            if (!found.isEmpty()) {
                return found.get(RANDOM.nextInt(found.size()));
            }
        }
        throw new IllegalArgumentException("expected a message to choose");
    }

    public static void main(String[] args) throws IOException {
        try (Socket arena = new Socket(args[1], Integer.parseInt(args[2]))) {
            Scanner input = new Scanner(arena.getInputStream());
            PrintStream output = new PrintStream(arena.getOutputStream(), true);
            output.println("legal"); // we want the legal messages with every question
            String hello = "{\"message\": \"connect\", \"revision\": 1, \"name\": \"%s\"}";
            output.println(hello.formatted(args[0]));
            while (input.hasNextLine()) {
                String line = input.nextLine();
                if (line.startsWith("{\"message\": \"legal\"")) {
                    Matcher list = MESSAGE.matcher(line.substring(line.indexOf('[')));
                    output.println(choose(list.results().map(MatchResult::group).toList()));
                } // other lines: gamestates with the map and all robots, actions of all, errors
            }
        }
    }
}
