package dev.tidemark.chaos;

import java.time.Duration;

/**
 * How long a chaos run takes and what it draws its random numbers from.
 *
 * @param rounds most rounds
 * @param time no round starts after this much time
 * @param seed where every random choice of the parent comes from
 * @param longestRun longest time for which a child works before it is killed
 */
record Settings(int rounds, Duration time, long seed, Duration longestRun) {
  static final int LONG_FORM_ROUNDS = 200;
  static final Duration UNLIMITED = Duration.ofDays(1);
  static final Duration LONG_RUN = Duration.ofMillis(1_200);

  static final String USAGE =
      """
      usage: chaos engine [--rounds N] [--seconds N] [--seed S]
        --rounds N   number of rounds, 1 or more (default 200; unlimited with --seconds alone)
        --seconds N  start no round after N seconds (default: no limit)
        --seed S     a number from which kills and damage are drawn (default: the clock)""";

  /** Reads the arguments after the name of the run. */
  static Settings parse(String[] args, int from, long defaultSeed) {
    int rounds = 0;
    Duration time = UNLIMITED;
    long seed = defaultSeed;
    for (int i = from; i < args.length; i += 2) {
      String option = args[i];
      if (i + 1 == args.length) {
        throw new IllegalArgumentException("The option " + option + " needs a value");
      }
      switch (option) {
        case "--rounds" -> rounds = (int) number(option, args[i + 1], 1, 1_000_000);
        case "--seconds" -> time = Duration.ofSeconds(number(option, args[i + 1], 1, 86_400));
        case "--seed" -> seed = number(option, args[i + 1], Long.MIN_VALUE, Long.MAX_VALUE);
        default -> throw new IllegalArgumentException("Unknown option " + option);
      }
    }
    if (rounds == 0) {
      rounds = time.equals(UNLIMITED) ? LONG_FORM_ROUNDS : Integer.MAX_VALUE;
    }
    return new Settings(rounds, time, seed, LONG_RUN);
  }

  private static long number(String option, String text, long min, long max) {
    try {
      long value = Long.parseLong(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      throw new IllegalArgumentException(
          "The value of " + option + " must be a whole number, not " + text, notANumber);
    }
    throw new IllegalArgumentException(
        "The value of %s must be between %d and %d, not %s".formatted(option, min, max, text));
  }
}
