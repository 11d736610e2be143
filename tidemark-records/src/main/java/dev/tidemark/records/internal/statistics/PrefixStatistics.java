package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.statistics.CommonValues.Common;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The statistics of the first columns of keys together, and of the last of them alone. */
public final class PrefixStatistics {
  /** The multiple of the average number of rows from which a value is common. */
  private static final double COMMON_MIN = 1.5;

  private final double distinct;
  private final List<Common> common;
  private final Map<Tuple, Double> shares = new HashMap<>();
  private final double commonShare;
  private final double leastShare;
  private final ColumnStatistics column;

  private PrefixStatistics(double distinct, List<Common> common, ColumnStatistics column) {
    this.distinct = distinct;
    this.common = List.copyOf(common);
    this.column = column;
    double sum = 0;
    for (Common value : common) {
      shares.put(value.value(), value.count());
      sum += value.count();
    }
    this.commonShare = Math.min(1, sum);
    this.leastShare = common.isEmpty() ? 1 : common.getLast().count();
  }

  /** Of {@code rows} rows; {@code candidates} with their numbers of rows, the most common first. */
  static PrefixStatistics of(
      double distinct, List<Common> candidates, double rows, ColumnStatistics column) {
    double most = Math.max(1, rows);
    boolean all = distinct <= candidates.size();
    List<Common> common =
        candidates.stream()
            .filter(value -> all || value.count() > COMMON_MIN * most / Math.max(1, distinct))
            .map(value -> new Common(value.value(), Math.min(1, value.count() / most)))
            .toList();
    return new PrefixStatistics(distinct, common, column);
  }

  /** How many different values there are. */
  public double distinct() {
    return distinct;
  }

  /** The most common values, the most common first, with their shares of the rows. */
  public Map<Tuple, Double> common() {
    Map<Tuple, Double> ordered = new LinkedHashMap<>();
    common.forEach(value -> ordered.put(value.value(), value.count()));
    return ordered;
  }

  /** The statistics of the last column alone. */
  public ColumnStatistics column() {
    return column;
  }

  /**
   * The fraction of the rows with {@code values}: exact for common values, otherwise an average.
   */
  public double equalFraction(Tuple values) {
    Double share = shares.get(values);
    if (share != null) {
      return share;
    }
    double others = distinct - common.size();
    return others < 1 ? 0 : Math.min(leastShare, (1 - commonShare) / others);
  }

  /** What share of the rows a value has on average. */
  public double averageFraction() {
    return 1 / Math.max(1, distinct);
  }

  /** The most common values that fit into {@code bytes} bytes. */
  Tuple commonTuple(int bytes) {
    int fitting = 0;
    int used = 0;
    for (Common value : common) {
      used += Tuple.EMPTY.nest(value.toTuple()).pack().length;
      if (used > bytes) {
        break;
      }
      fitting++;
    }
    return CommonValues.toTuple(common.subList(0, fitting));
  }

  static PrefixStatistics parse(double distinct, Tuple common, ColumnStatistics column) {
    return new PrefixStatistics(distinct, CommonValues.parse(common), column);
  }
}
