import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;
import java.util.Random;

/**
 * A Hive bot that asks the arena for the legal moves, and chooses one of them.
 *
 * <p>Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match hive . greedy
 * --watch` lets it play.
 */
public final class HiveBot {
    private static final Random RANDOM = new Random();

    /**
     * Picks a move. This is where your bot begins. `wG2|*bA1` puts wG2 beside bA1, `wB1=*bQ1` on
     * top of bQ1, `wS1` begins a match: a move ends with the tile that it is described by. So this
     * prefers moves that are said to end at the enemy queen.
     */
    static String choose(List<String> moves, String enemyQueen) {
        List<String> close =
                moves.stream().filter(m -> m.length() > 3 && m.endsWith(enemyQueen)).toList();
        List<String> liked = close.isEmpty() ? moves : close;
        return liked.get(RANDOM.nextInt(liked.size()));
    }

    public static void main(String[] args) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        String enemyQueen = "";
        System.out.println("legal"); // our first line: we want the legal moves with every question
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            List<String> words = List.of(line.split(" "));
            if (words.get(0).equals("colour")) {
                enemyQueen = words.get(1).equals("white") ? "bQ1" : "wQ1";
            } else if (words.get(0).equals("legal")) {
                System.out.println(choose(words.subList(1, words.size()), enemyQueen));
            } // other lines: the options of the match, the moves of the other side, the end
        }
    }
}
