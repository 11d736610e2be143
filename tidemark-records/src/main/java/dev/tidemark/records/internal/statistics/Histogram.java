package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.tuple.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The distribution of rows over the order of their keys, in buckets of about equal numbers of rows.
 * A value with more rows than that is a bucket of its own.
 *
 * <p>Keys are compared as bytes. Within a bucket the distribution is taken as uniform: over numbers
 * if the first difference of the keys is in a whole number, otherwise over bytes.
 */
public final class Histogram {
  /** Nothing is known. */
  public static final Histogram EMPTY = new Histogram(List.of());

  private final List<Bucket> buckets;
  private final byte[][] begins;
  private final byte[][] ends;
  private final int[] wholeAt;

  /** How many rows the buckets before each have. */
  private final double[] before;

  /**
   * A bucket of consecutive rows.
   *
   * @param min the first key
   * @param max the last key
   * @param count how many rows there are, as far as known
   */
  public record Bucket(Tuple min, Tuple max, double count) {
    /** Whether all rows have the same key. */
    public boolean isSingle() {
      return min.equals(max);
    }

    Tuple toTuple() {
      return Tuple.EMPTY.nest(min).nest(max).append(count);
    }

    static Bucket parse(Tuple tuple) {
      return new Bucket(tuple.getTuple(0), tuple.getTuple(1), tuple.getDouble(2));
    }
  }

  /** A histogram of these buckets, which are in order. */
  public Histogram(List<Bucket> buckets) {
    this.buckets = List.copyOf(buckets);
    int size = buckets.size();
    this.begins = new byte[size][];
    this.ends = new byte[size][];
    this.wholeAt = new int[size];
    this.before = new double[size + 1];
    for (int i = 0; i < size; i++) {
      Bucket bucket = buckets.get(i);
      begins[i] = bucket.min().pack();
      ends[i] = after(bucket.min(), bucket.max());
      wholeAt[i] = WholeNumbers.placeIn(bucket.min(), bucket.max());
      before[i + 1] = before[i] + bucket.count();
    }
  }

  /** The buckets in order. */
  public List<Bucket> buckets() {
    return buckets;
  }

  /** Whether nothing is known. */
  public boolean isEmpty() {
    return buckets.isEmpty();
  }

  /** How many rows all buckets have. */
  public double rows() {
    return before[buckets.size()];
  }

  /**
   * The exclusive end of the values from {@code min} to {@code max}. For whole numbers this is the
   * next number, so that three numbers divide their bucket into three thirds.
   */
  private static byte[] after(Tuple min, Tuple max) {
    for (int i = 0; i < min.size() && i < max.size(); i++) {
      Object last = max.get(i);
      boolean differs = !min.subTuple(0, i + 1).equals(max.subTuple(0, i + 1));
      if (differs && last instanceof Long number && number < Long.MAX_VALUE) {
        return max.subTuple(0, i).append(number + 1).pack();
      }
      if (differs) {
        break;
      }
    }
    return past(max.pack());
  }

  /** The bytes after all that begin with {@code packed} and go on with another element. */
  static byte[] past(byte[] packed) {
    byte[] end = Arrays.copyOf(packed, packed.length + 1);
    end[packed.length] = (byte) 0xff;
    return end;
  }

  /**
   * The fraction of the rows whose keys are in the half-open interval from {@code from} to {@code
   * to}.
   */
  public double fraction(byte[] from, byte[] to) {
    double all = rows();
    return all == 0 ? 0 : Math.clamp((rowsBefore(to) - rowsBefore(from)) / all, 0, 1);
  }

  private double rowsBefore(byte[] key) {
    int low = 0;
    int high = buckets.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(begins[middle], key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == 0) {
      return 0;
    }
    int bucket = low - 1;
    return before[bucket] + buckets.get(bucket).count() * share(bucket, key);
  }

  /** The fraction of a bucket before {@code key}, which is not before the bucket. */
  private double share(int bucket, byte[] key) {
    byte[] begin = begins[bucket];
    byte[] end = ends[bucket];
    if (Arrays.compareUnsigned(key, end) >= 0) {
      return 1;
    }
    if (buckets.get(bucket).isSingle()) {
      return 0;
    }
    if (wholeAt[bucket] != WholeNumbers.NONE) {
      double first = WholeNumbers.at(begin, wholeAt[bucket]);
      double last = WholeNumbers.at(end, wholeAt[bucket]);
      double place = WholeNumbers.at(key, wholeAt[bucket]);
      return last <= first ? 0 : Math.clamp((place - first) / (last - first), 0, 1);
    }
    int shared = Math.max(0, Arrays.mismatch(begin, end));
    double low = number(begin, shared);
    double high = number(end, shared);
    return high <= low ? 0 : Math.clamp((number(key, shared) - low) / (high - low), 0, 1);
  }

  /** Eight bytes from {@code from} on as a number. */
  private static double number(byte[] key, int from) {
    double number = 0;
    for (int i = from; i < from + Long.BYTES; i++) {
      number = number * 256 + (i < key.length ? key[i] & 0xff : 0);
    }
    return number;
  }

  /**
   * The fraction of the rows with exactly {@code key}, if it is a bucket of its own; otherwise 0.
   */
  public double single(Tuple key) {
    for (Bucket bucket : buckets) {
      if (bucket.isSingle() && bucket.min().equals(key)) {
        return bucket.count() / rows();
      }
    }
    return 0;
  }

  /** How many buckets have one value each. */
  int singles() {
    return (int) buckets.stream().filter(Bucket::isSingle).count();
  }

  /** What share of the rows is in buckets of one value. */
  double singleShare() {
    double all = rows();
    return all == 0
        ? 0
        : buckets.stream().filter(Bucket::isSingle).mapToDouble(Bucket::count).sum() / all;
  }

  /** This histogram with half as many buckets. */
  Histogram coarser() {
    List<Bucket> fewer = new ArrayList<>();
    for (int i = 0; i < buckets.size(); i += 2) {
      Bucket first = buckets.get(i);
      Bucket last = buckets.get(Math.min(i + 1, buckets.size() - 1));
      double count = before[Math.min(i + 2, buckets.size())] - before[i];
      fewer.add(new Bucket(first.min(), last.max(), count));
    }
    return new Histogram(fewer);
  }

  Tuple toTuple() {
    Tuple all = Tuple.EMPTY;
    for (Bucket bucket : buckets) {
      all = all.nest(bucket.toTuple());
    }
    return all;
  }

  static Histogram parse(Tuple tuple) {
    List<Bucket> buckets = new ArrayList<>(tuple.size());
    for (int i = 0; i < tuple.size(); i++) {
      buckets.add(Bucket.parse(tuple.getTuple(i)));
    }
    return new Histogram(buckets);
  }
}
