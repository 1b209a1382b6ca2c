import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A whole Battlebots bot: every turn it reads what it sees, and answers with orders.
 *
 * <p>Make it yours in {@code choose}, near the end: for now it marches at random. {@code agon bot
 * check .} tries the bot out, {@code agon match battlebots . greedy --watch} lets it play.
 */
public class BattlebotsBot {
    /** A fort that we see; its owner is "neutral" if it is nobody's. */
    record Fort(String name, int x, int y, String owner, int soldiers, List<String> near) {}

    /** An army on a road that we see, with the steps that it has to go. */
    record March(String origin, String target, String owner, int soldiers, int steps) {}

    /** So many soldiers leave one of our forts for a neighbour. */
    record Order(String origin, String target, int soldiers) {}

    /** What we see in a turn: our forts, their neighbours, and what is between them. */
    record View(String me, Map<String, Fort> forts, List<March> marches) {
        /** The forts that we may send soldiers from. */
        List<Fort> ownForts() {
            return forts.values().stream().filter(fort -> fort.owner.equals(me)).toList();
        }

        /** How many turns the march between two forts takes. */
        int steps(String one, String other) {
            Fort a = forts.get(one);
            Fort b = forts.get(other);
            return (int) Math.ceil(Math.hypot(a.x - b.x, a.y - b.y));
        }
    }

    private final Random chance = new Random();
    private final BufferedReader input =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private String home = "";
    private String me = "";

    /** Send some soldiers from some forts. This is where your bot begins. */
    List<Order> choose(View view) {
        List<Order> orders = new ArrayList<>();
        for (Fort fort : view.ownForts()) {
            if (fort.near.isEmpty() || fort.soldiers == 0 || chance.nextBoolean()) continue;
            String target = fort.near.get(chance.nextInt(fort.near.size()));
            orders.add(new Order(fort.name, target, 1 + chance.nextInt(fort.soldiers)));
        }
        return orders;
    }

    /** The words of each line after a header that says how many there are; null at the end. */
    private List<String[]> readSection() throws IOException {
        String header = input.readLine();
        if (header == null) return null;
        List<String[]> lines = new ArrayList<>();
        int count = Integer.parseInt(header.split(" ")[0]);
        for (int i = 0; i < count; i++) lines.add(input.readLine().split(" "));
        return lines;
    }

    /** What we see now; null at the end of the match. */
    private View readView() throws IOException {
        Map<String, Fort> forts = new LinkedHashMap<>();
        List<String[]> section = readSection();
        if (section == null) return null;
        for (String[] w : section) {
            int x = Integer.parseInt(w[1]);
            int y = Integer.parseInt(w[2]);
            forts.put(w[0], new Fort(w[0], x, y, w[3], Integer.parseInt(w[4]), new ArrayList<>()));
            if (x == 0 && y == 0 && !w[0].equals(home)) {
                home = w[0]; // where we began: this is the first turn of a match
                me = w[3];
            }
        }
        for (String[] road : readSection()) {
            forts.get(road[0]).near.add(road[1]);
            forts.get(road[1]).near.add(road[0]);
        }
        List<March> marches = new ArrayList<>();
        for (String[] w : readSection()) {
            int steps = Integer.parseInt(w[4]);
            marches.add(new March(w[0], w[1], w[2], Integer.parseInt(w[3]), steps));
        }
        return new View(me, forts, marches);
    }

    /** Read what we see, and answer; until there is no more input. */
    public static void main(String[] arguments) throws IOException {
        PrintStream output = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        BattlebotsBot bot = new BattlebotsBot();
        for (View view = bot.readView(); view != null; view = bot.readView()) {
            List<Order> orders = bot.choose(view);
            StringBuilder answer = new StringBuilder(orders.size() + " marches:\n");
            for (Order order : orders) {
                answer.append(order.origin).append(' ').append(order.target).append(' ');
                answer.append(order.soldiers).append('\n');
            }
            output.print(answer);
            output.flush();
        }
    }
}
