package dev.tidemark.node.internal.meters;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How the demo is run.
 *
 * @param time how long the meters publish
 * @param meters how many there are
 * @param rate how many readings a second they publish together, at most
 * @param headless whether to print plain lines instead of a summary in place
 * @param data where the stores are kept; without it they are removed at the end
 */
public record MeterDemoOptions(
    Duration time, int meters, int rate, boolean headless, Optional<Path> data) {
  /** What the command takes. */
  public static final String USAGE =
      "Usage: tidemark demo [--seconds N] [--meters N] [--rate N] [--data DIR] [--headless] | demo store";

  private static final int SECONDS = 30;
  private static final int SECONDS_MAX = 24 * 3_600;
  private static final int METERS = 200;
  private static final int METERS_MAX = 100_000;
  private static final int RATE = 2_500;
  private static final int RATE_MAX = 1_000_000;

  /**
   * Reads the arguments behind {@code demo}.
   *
   * @throws IllegalArgumentException saying which one is wrong, and how
   */
  public static MeterDemoOptions parse(String[] arguments, boolean terminal) {
    int seconds = SECONDS;
    int meters = METERS;
    int rate = RATE;
    boolean headless = !terminal;
    Optional<Path> data = Optional.empty();
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--headless" -> headless = true;
        case "--seconds" -> seconds = number(arguments, i++, 1, SECONDS_MAX);
        case "--meters" -> meters = number(arguments, i++, 1, METERS_MAX);
        case "--rate" -> rate = number(arguments, i++, 1, RATE_MAX);
        case "--data" -> data = Optional.of(Path.of(value(arguments, i++)));
        default ->
            throw new IllegalArgumentException("demo has no option '%s'".formatted(arguments[i]));
      }
    }
    return new MeterDemoOptions(Duration.ofSeconds(seconds), meters, rate, headless, data);
  }

  private static String value(String[] arguments, int option) {
    if (option + 1 == arguments.length) {
      throw new IllegalArgumentException("%s needs a value".formatted(arguments[option]));
    }
    return arguments[option + 1];
  }

  private static int number(String[] arguments, int option, int min, int max) {
    String text = value(arguments, option);
    try {
      int number = Integer.parseInt(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException wrong) {
      // Said below, like a number that is out of range.
    }
    throw new IllegalArgumentException(
        "%s takes a whole number from %,d to %,d, not '%s'"
            .formatted(arguments[option], min, max, text));
  }
}
