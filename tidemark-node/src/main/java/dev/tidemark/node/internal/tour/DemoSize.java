package dev.tidemark.node.internal.tour;

import java.time.Duration;

/**
 * How much the demo does.
 *
 * @param keys keys that are written and scanned
 * @param threads writers at a time
 * @param commits commits of each writer
 * @param pairs pairs of transactions that are set against each other
 * @param kills how often the writing process is killed
 * @param writing how long it writes before that
 */
public record DemoSize(int keys, int threads, int commits, int pairs, int kills, Duration writing) {
  /** What a person watches. */
  public static final DemoSize FULL =
      new DemoSize(100_000, 8, 250, 300, 3, Duration.ofMillis(1_500));

  /** What the build runs: every step, and little of each. */
  public static final DemoSize SHORT = new DemoSize(2_000, 4, 20, 20, 1, Duration.ofMillis(200));
}
