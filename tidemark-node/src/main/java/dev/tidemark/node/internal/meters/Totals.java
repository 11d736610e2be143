package dev.tidemark.node.internal.meters;

/**
 * Readings of one meter, added up: two sets of them that differ have different totals, unless
 * several mistakes cancel each other.
 *
 * @param rows how many readings
 * @param watts their sum
 * @param times the sum of their timestamps
 */
record Totals(long rows, long watts, long times) {
  static final Totals NONE = new Totals(0, 0, 0);

  Totals plus(Reading reading) {
    return new Totals(rows + 1, watts + reading.power(), times + reading.timestamp());
  }

  Totals plus(Totals other) {
    return new Totals(rows + other.rows, watts + other.watts, times + other.times);
  }
}
