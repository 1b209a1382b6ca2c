import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A Battlebots bot that asks the arena for the orders that it may give, and chooses some of them.
 *
 * <p>Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match battlebots .
 * greedy --watch` lets it play.
 */
public final class BattlebotsBot {
    private static final Random RANDOM = new Random();

    record Order(String origin, String target, int soldiers) {}

    /**
     * Picks an order for one of our forts. This is where your bot begins. `roads` are all ways out,
     * with all soldiers that we have there; `forts` is what we see, such as boyard: boyard 0 0 mine
     * 12. This sends half of them along one of the roads.
     */
    static Order choose(List<Order> roads, Map<String, String[]> forts) {
        Order road = roads.get(RANDOM.nextInt(roads.size()));
        return new Order(road.origin, road.target, (road.soldiers + 1) / 2);
    }

    public static void main(String[] args) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("legal"); // our first line: we want the legal orders with every question
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            Map<String, String[]> forts = new LinkedHashMap<>();
            for (int section = 0; section < 3; section++) { // forts, roads, marches
                String header = section == 0 ? line : input.readLine();
                for (int lines = Integer.parseInt(header.split(" ")[0]); lines > 0; lines--) {
                    String[] words = input.readLine().split(" ");
                    if (section == 0) {
                        forts.put(words[0], words);
                    }
                }
            }
            String[] words = input.readLine().split(" "); // legal, and three words for each order
            Map<String, List<Order>> ways = new LinkedHashMap<>();
            for (int i = 1; i < words.length; i += 3) {
                Order order = new Order(words[i], words[i + 1], Integer.parseInt(words[i + 2]));
                ways.computeIfAbsent(order.origin, origin -> new ArrayList<>()).add(order);
            }
            StringBuilder answer = new StringBuilder(ways.size() + " marches:");
            for (List<Order> roads : ways.values()) {
                Order order = choose(roads, forts);
                answer.append("\n" + order.origin + " " + order.target + " " + order.soldiers);
            }
            System.out.println(answer);
        }
    }
}
