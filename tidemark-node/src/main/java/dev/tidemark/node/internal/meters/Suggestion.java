package dev.tidemark.node.internal.meters;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Something to do in another terminal.
 *
 * @param what it does
 * @param command that does it
 */
record Suggestion(String what, String command) {
  private static final String POWER_BY_AREA =
      "'SELECT area, COUNT(*), SUM(power) FROM Reading GROUP BY area'";
  private static final Pattern PLAIN_WORD = Pattern.compile("[\\w./:=@%+,-]+");

  /** The command that sets another threshold in the store at {@code address}. */
  static String ofThreshold(URI address) {
    return "./tidemark map set %s %s %s 1500".formatted(address, Worker.SETTINGS, Worker.THRESHOLD);
  }

  /** What can be done while the store at {@code address} is served. */
  static List<Suggestion> whileServedAt(URI address) {
    return List.of(
        new Suggestion("Change the threshold of alerts", ofThreshold(address)),
        new Suggestion(
            "Ask for records",
            "./tidemark records query %s demo/grid %s".formatted(address, POWER_BY_AREA)),
        new Suggestion(
            "See messages as they are published",
            "./tidemark stream tail %s %s --from now --limit 10".formatted(address, Worker.STREAM)),
        new Suggestion(
            "Follow the changes of the records",
            "./tidemark changes tail %s demo/grid %s --from now --limit 10"
                .formatted(address, Grid.STREAM)));
  }

  /** What can be done after a run whose data are in {@code data}, or are removed. */
  static List<Suggestion> after(Optional<Path> data) {
    if (data.isEmpty()) {
      return List.of(
          new Suggestion("Run it again and keep the data", "./tidemark demo --data demo-data"));
    }
    return List.of(
        new Suggestion(
            "Ask the records that it has left",
            "./tidemark records query %s demo/grid %s"
                .formatted(word(data.get().resolve("store")), POWER_BY_AREA)),
        new Suggestion(
            "Go on with the same data", "./tidemark demo --data %s".formatted(word(data.get()))));
  }

  /** {@code path} as one word of a shell. */
  private static String word(Path path) {
    String text = path.toString();
    return PLAIN_WORD.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
