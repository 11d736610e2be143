package dev.tidemark.kv;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The keys and values between two positions, to be iterated over.
 *
 * <p>A scan is a description: nothing is read before iteration, each iteration starts anew, and the
 * methods that narrow it return another scan. Rows are fetched in portions while iteration goes on,
 * so a scan may be larger than memory. What was fetched counts as read: an insert into that part of
 * the range by another transaction is a conflict. A scan ends with its transaction; there is
 * nothing to close.
 */
public final class Scan implements Iterable<KeyValue> {
  private final Function<Scan, Iterator<KeyValue>> source;
  private final KeySelector begin;
  private final KeySelector end;
  private final int limit;
  private final boolean reverse;
  private final ScanMode mode;

  private Scan(
      Function<Scan, Iterator<KeyValue>> source,
      KeySelector begin,
      KeySelector end,
      int limit,
      boolean reverse,
      ScanMode mode) {
    this.source = source;
    this.begin = begin;
    this.end = end;
    this.limit = limit;
    this.reverse = reverse;
    this.mode = mode;
  }

  /** A scan that fetches from {@code source}. For engines. */
  public static Scan of(Source source, KeySelector begin, KeySelector end) {
    return new Scan(scan -> scan.new Rows(source), begin, end, 0, false, ScanMode.ITERATOR);
  }

  /** A scan over rows that {@code source} fetches in portions of its own. For engines. */
  public static Scan ofRows(RowSource source, KeySelector begin, KeySelector end) {
    return new Scan(
        scan -> source.rows(scan.begin, scan.end, scan.limit, scan.reverse, scan.mode),
        begin,
        end,
        0,
        false,
        ScanMode.ITERATOR);
  }

  /**
   * This scan ended after {@code rows} rows.
   *
   * @throws UsageException if {@code rows} is not positive
   */
  public Scan limit(int rows) {
    if (rows <= 0) {
      throw UsageException.invalidScanLimit(
          "The limit of a scan must be positive, not " + rows + "; leave it out for all rows");
    }
    return new Scan(source, begin, end, rows, reverse, mode);
  }

  /** This scan from its end to its begin, in descending order; a limit then counts from the end. */
  public Scan reverse() {
    return new Scan(source, begin, end, limit, !reverse, mode);
  }

  /** This scan with other portions. */
  public Scan mode(ScanMode portions) {
    return new Scan(source, begin, end, limit, reverse, portions);
  }

  /** The rows, fetched as iteration goes on. */
  @Override
  public Iterator<KeyValue> iterator() {
    if (mode == ScanMode.EXACT && limit == 0) {
      throw UsageException.invalidScanLimit("A scan in mode EXACT needs a limit");
    }
    return source.apply(this);
  }

  /** All rows. They have to fit in memory; give the scan a limit where that is not certain. */
  public List<KeyValue> list() {
    Scan whole = mode == ScanMode.ITERATOR ? mode(ScanMode.WANT_ALL) : this;
    List<KeyValue> rows = new ArrayList<>();
    whole.iterator().forEachRemaining(rows::add);
    return rows;
  }

  /** The first row, if there is one. */
  public Optional<KeyValue> first() {
    Iterator<KeyValue> rows = limit(1).iterator();
    return rows.hasNext() ? Optional.of(rows.next()) : Optional.empty();
  }

  /** The rows as a sequential stream. It needs no close. */
  public Stream<KeyValue> stream() {
    return StreamSupport.stream(spliterator(), false);
  }

  /** Where a scan gets its rows from: one transaction of one engine. */
  @FunctionalInterface
  public interface Source {
    /** Reads the next portion. */
    Portion fetch(Request request);
  }

  /** Where a scan gets its rows from that is better at portions than the scan: a client. */
  @FunctionalInterface
  public interface RowSource {
    /**
     * The rows of one iteration; {@code limit} is zero for all. Nothing is read before they are.
     */
    Iterator<KeyValue> rows(
        KeySelector begin, KeySelector end, int limit, boolean reverse, ScanMode mode);
  }

  /**
   * One portion of a scan, as asked of an engine.
   *
   * @param begin the first row is not before this position
   * @param end the rows are before this position
   * @param rows most rows wanted
   * @param bytes stop after the row with which this many bytes of keys and values are reached
   * @param reverse whether rows are wanted in descending order, from {@code end} on
   */
  public record Request(KeySelector begin, KeySelector end, int rows, int bytes, boolean reverse) {}

  /**
   * The rows of a portion.
   *
   * @param rows in the order asked for
   * @param more whether there may be rows after them; false where there are no rows
   */
  public record Portion(List<KeyValue> rows, boolean more) {}

  private final class Rows implements Iterator<KeyValue> {
    private static final int BYTES_SMALL = 4_096;
    private static final int BYTES_MEDIUM = 32_768;
    private static final int BYTES_LARGE = 131_072;
    private static final int BYTES_MAX = 1_048_576;

    private final Source portionSource;
    private KeySelector from = begin;
    private KeySelector to = end;
    private int remaining = limit == 0 ? Integer.MAX_VALUE : limit;
    private int portions;
    private List<KeyValue> rows = List.of();
    private int next;
    private boolean more = true;

    Rows(Source source) {
      this.portionSource = source;
    }

    @Override
    public boolean hasNext() {
      while (next == rows.size() && more) {
        fetch();
      }
      return next < rows.size();
    }

    @Override
    public KeyValue next() {
      if (!hasNext()) {
        throw new NoSuchElementException("The scan has no more rows");
      }
      return rows.get(next++);
    }

    private void fetch() {
      Portion portion =
          portionSource.fetch(new Request(from, to, remaining, portionBytes(portions++), reverse));
      rows = portion.rows();
      next = 0;
      remaining -= rows.size();
      more = portion.more() && remaining > 0 && !rows.isEmpty();
      if (more) {
        Key last = rows.getLast().key();
        if (reverse) {
          to = KeySelector.firstGreaterOrEqual(last);
        } else {
          from = KeySelector.firstGreaterThan(last);
        }
      }
    }

    private int portionBytes(int portion) {
      return switch (mode) {
        case SMALL -> BYTES_SMALL;
        case MEDIUM -> BYTES_MEDIUM;
        case LARGE -> BYTES_LARGE;
        case SERIAL, WANT_ALL -> BYTES_MAX;
        case EXACT -> Integer.MAX_VALUE;
        case ITERATOR -> (BYTES_SMALL * 4) << Math.min(portion, 6);
      };
    }
  }
}
