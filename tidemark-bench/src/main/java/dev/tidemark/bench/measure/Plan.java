package dev.tidemark.bench.measure;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param keys rows of data
 * @param rounds how often each contestant has its turn; results are medians over rounds
 * @param readSlice one turn of a reader
 * @param commitSlice one turn of writers
 * @param warmUp one turn before anything counts
 * @param hold how long a reader holds a version while others write
 */
public record Plan(
    int keys,
    int rounds,
    Duration readSlice,
    Duration commitSlice,
    Duration warmUp,
    Duration hold) {
  public static final Plan FULL =
      new Plan(
          1_000_000,
          9,
          Duration.ofMillis(400),
          Duration.ofMillis(1_000),
          Duration.ofMillis(2_500),
          Duration.ofSeconds(8));

  public static final Plan QUICK =
      new Plan(
          100_000,
          5,
          Duration.ofMillis(120),
          Duration.ofMillis(300),
          Duration.ofMillis(600),
          Duration.ofSeconds(2));

  /** Just enough to see that everything runs. */
  public static final Plan TINY =
      new Plan(
          2_000,
          1,
          Duration.ofMillis(30),
          Duration.ofMillis(30),
          Duration.ofMillis(10),
          Duration.ofMillis(50));
}
