package dev.tidemark.chaos.run;

import java.time.Duration;

/**
 * How long a chaos run takes and what it draws its random numbers from.
 *
 * @param rounds most rounds
 * @param time no round starts after this much time
 * @param seed where every random choice of the parent comes from
 * @param longestRun longest time for which children work before they are killed
 */
public record Settings(int rounds, Duration time, long seed, Duration longestRun) {
  public static final Duration UNLIMITED = Duration.ofDays(1);

  public static final String USAGE =
      """
      usage: chaos engine|remote|records|pulse|partitions|changes|loader [--redis] [--etcd] [--script NAME] [--rounds N] [--seconds N] [--seed S]
        engine       kills a process with a database, damages its files, fills its disk
        remote       kills a server and its clients, and cuts their connections
        records      kills a process that writes records and builds their indexes, fails its commits
        pulse        kills and pauses processes that share a stream and two pools
        partitions   kills and pauses servers and managers while partitions are split and moved
        changes      kills and pauses processes that follow records while partitions are split
        loader       kills loaders that fill one table from a stream, and fails their merges
        --redis      with pulse: on a Redis server instead of our own
        --etcd       with partitions: leader, members and routes in a real etcd, which is killed too
        --script S   with partitions: splits, moves, kills and restarts at fixed times, in 8 minutes
                     or in the --seconds that are given; S is manual, or threshold for a policy beside it
        --rounds N   number of rounds, 1 or more (default 200 for engine, 40 for the others;
                     unlimited with --seconds alone)
        --seconds N  start no round after N seconds (default: no limit)
        --seed S     a number from which kills and damage are drawn (default: the clock)\
      """;

  /** What {@code chaos engine} does if nothing else is said. */
  public static Settings engine(long seed) {
    return new Settings(200, UNLIMITED, seed, Duration.ofMillis(1_200));
  }

  /** What {@code chaos remote} does if nothing else is said. */
  public static Settings remote(long seed) {
    return new Settings(40, UNLIMITED, seed, Duration.ofSeconds(4));
  }

  /** What {@code chaos records} does if nothing else is said. */
  public static Settings records(long seed) {
    return new Settings(40, UNLIMITED, seed, Duration.ofSeconds(4));
  }

  /** What {@code chaos pulse} does if nothing else is said. */
  public static Settings pulse(long seed) {
    return new Settings(40, UNLIMITED, seed, Duration.ofSeconds(8));
  }

  /** What {@code chaos partitions} does if nothing else is said. */
  public static Settings partitions(long seed) {
    return new Settings(40, UNLIMITED, seed, Duration.ofSeconds(8));
  }

  /** What {@code chaos changes} does if nothing else is said. */
  public static Settings changes(long seed) {
    return new Settings(40, UNLIMITED, seed, Duration.ofSeconds(8));
  }

  /** What {@code chaos loader} does if nothing else is said. */
  public static Settings loader(long seed) {
    return new Settings(40, UNLIMITED, seed, Duration.ofSeconds(10));
  }

  /** Whether this is the short form that the build runs. */
  public boolean isBrief() {
    return longestRun.compareTo(Duration.ofSeconds(1)) < 0;
  }

  /** Reads the arguments after the name of the run. */
  public static Settings parse(String[] args, int from, Settings defaults) {
    int rounds = 0;
    Duration time = UNLIMITED;
    long seed = defaults.seed();
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
      rounds = time.equals(UNLIMITED) ? defaults.rounds() : Integer.MAX_VALUE;
    }
    return new Settings(rounds, time, seed, defaults.longestRun());
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
