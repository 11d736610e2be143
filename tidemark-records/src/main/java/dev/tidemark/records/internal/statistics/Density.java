package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.tuple.Tuple;
import java.util.ArrayList;
import java.util.List;

/**
 * The number of rows per byte of the size that a store estimates. It varies over the keys, because
 * a store compresses, and rows compress differently.
 *
 * @param measures what was counted in each of several parts of the same size, in order
 */
record Density(List<Measure> measures) {
  /** No measurement. */
  static final Density UNKNOWN = new Density(List.of());

  /**
   * What was counted in one part.
   *
   * @param rows how many rows there are
   * @param bytes how large the store takes them to be
   */
  record Measure(long rows, long bytes) {}

  /** Whether anything was measured. */
  boolean isKnown() {
    return !measures.isEmpty();
  }

  /** This density with one more measurement. */
  Density and(Measure next) {
    List<Measure> all = new ArrayList<>(measures);
    all.add(next);
    return new Density(all);
  }

  /**
   * The number at {@code place}, from 0 for the first rows to 1 for the last. Each part counts
   * together with its neighbours, because sizes are rough.
   */
  double rowsPerByte(double place) {
    int part = Math.clamp((int) (place * measures.size()), 0, measures.size() - 1);
    List<Measure> near =
        measures.subList(Math.max(0, part - 1), Math.min(measures.size(), part + 2));
    return ratio(near.stream().allMatch(each -> each.bytes() == 0) ? measures : near);
  }

  private static double ratio(List<Measure> measures) {
    double rows = measures.stream().mapToLong(Measure::rows).sum();
    double bytes = measures.stream().mapToLong(Measure::bytes).sum();
    return bytes == 0 ? 0 : rows / bytes;
  }

  Tuple toTuple() {
    Tuple tuple = Tuple.EMPTY;
    for (Measure measure : measures) {
      tuple = tuple.append(measure.rows()).append(measure.bytes());
    }
    return tuple;
  }

  static Density parse(Tuple tuple) {
    List<Measure> all = new ArrayList<>();
    for (int i = 0; i < tuple.size(); i += 2) {
      all.add(new Measure(tuple.getLong(i), tuple.getLong(i + 1)));
    }
    return new Density(all);
  }
}
