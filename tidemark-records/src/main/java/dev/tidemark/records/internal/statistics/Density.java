package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.Tuple;
import java.util.ArrayList;
import java.util.List;

/**
 * How many rows a byte has that a store estimates. Not everywhere the same: a store compresses, and
 * some rows are more alike than others.
 *
 * @param rowsPerByte the number in each of several parts of the same size, in order
 */
record Density(List<Double> rowsPerByte) {
  /** Nothing was measured. */
  static final Density UNKNOWN = new Density(List.of(0.0));

  /**
   * What was counted in one part.
   *
   * @param rows how many rows there are
   * @param bytes how large the store takes them to be
   */
  record Measure(long rows, long bytes) {}

  /** Each part counts together with its neighbours, because sizes are rough. */
  static Density of(List<Measure> measures) {
    List<Double> all = new ArrayList<>();
    for (int i = 0; i < measures.size(); i++) {
      List<Measure> near = measures.subList(Math.max(0, i - 1), Math.min(measures.size(), i + 2));
      all.add(ratio(near.stream().allMatch(part -> part.bytes() == 0) ? measures : near));
    }
    return new Density(all);
  }

  private static double ratio(List<Measure> measures) {
    double rows = measures.stream().mapToLong(Measure::rows).sum();
    double bytes = measures.stream().mapToLong(Measure::bytes).sum();
    return bytes == 0 ? 0 : rows / bytes;
  }

  /** Whether anything was measured. */
  boolean isKnown() {
    return !equals(UNKNOWN);
  }

  /** The number at {@code place}, from 0 for the first rows to 1 for the last. */
  double rowsPerByte(double place) {
    int part = (int) (place * rowsPerByte.size());
    return rowsPerByte.get(Math.clamp(part, 0, rowsPerByte.size() - 1));
  }

  Tuple toTuple() {
    return Tuple.copyOf(rowsPerByte);
  }

  static Density parse(Tuple tuple) {
    List<Double> all = new ArrayList<>();
    for (int i = 0; i < tuple.size(); i++) {
      all.add(tuple.getDouble(i));
    }
    return new Density(all);
  }
}
