package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.tuple.Tuple;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Collects the values with the most rows from a sequence of distinct values. */
final class CommonValues {
  /** The size of the longest value that is kept. */
  private static final int VALUE_BYTES_MAX = 1_000;

  private final int max;
  private final PriorityQueue<Common> smallestFirst =
      new PriorityQueue<>(Comparator.comparingDouble(Common::count));

  /**
   * A value with its frequency.
   *
   * @param value the columns
   * @param count the number of rows, or the fraction of the rows
   */
  record Common(Tuple value, double count) {
    Tuple toTuple() {
      return Tuple.EMPTY.nest(value).append(count);
    }

    static Common parse(Tuple tuple) {
      return new Common(tuple.getTuple(0), tuple.getDouble(1));
    }
  }

  CommonValues(int max) {
    this.max = max;
  }

  void add(Tuple value, double count) {
    boolean fits = smallestFirst.size() < max;
    if (!fits && smallestFirst.element().count() >= count) {
      return;
    }
    if (value.pack().length <= VALUE_BYTES_MAX) {
      if (!fits) {
        smallestFirst.remove();
      }
      smallestFirst.add(new Common(value, count));
    }
  }

  /** The most common first. */
  List<Common> list() {
    return smallestFirst.stream()
        .sorted(Comparator.comparingDouble(Common::count).reversed())
        .toList();
  }

  static Tuple toTuple(List<Common> values) {
    Tuple all = Tuple.EMPTY;
    for (Common value : values) {
      all = all.nest(value.toTuple());
    }
    return all;
  }

  static List<Common> parse(Tuple tuple) {
    List<Common> values = new ArrayList<>(tuple.size());
    for (int i = 0; i < tuple.size(); i++) {
      values.add(Common.parse(tuple.getTuple(i)));
    }
    return values;
  }
}
