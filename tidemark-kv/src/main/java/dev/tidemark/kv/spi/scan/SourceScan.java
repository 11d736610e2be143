package dev.tidemark.kv.spi.scan;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.ScanMode;
import dev.tidemark.kv.UsageException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A scan over the rows of an engine, which come in portions. */
public final class SourceScan implements Scan {
  private final Function<SourceScan, Iterator<KeyValue>> source;
  private final KeySelector begin;
  private final KeySelector end;
  private final int limit;
  private final boolean reverse;
  private final ScanMode mode;

  private SourceScan(
      Function<SourceScan, Iterator<KeyValue>> source,
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

  /** A scan that fetches from {@code source}. */
  public static Scan of(ScanSource source, KeySelector begin, KeySelector end) {
    return new SourceScan(scan -> scan.new Rows(source), begin, end, 0, false, ScanMode.ITERATOR);
  }

  /** A scan over rows that {@code source} fetches in portions of its own. */
  public static Scan ofRows(RowSource source, KeySelector begin, KeySelector end) {
    return new SourceScan(
        scan -> source.rows(scan.begin, scan.end, scan.limit, scan.reverse, scan.mode),
        begin,
        end,
        0,
        false,
        ScanMode.ITERATOR);
  }

  @Override
  public Scan limit(int rows) {
    if (rows <= 0) {
      throw UsageException.invalidScanLimit(
          "The limit of a scan must be positive, not " + rows + "; leave it out for all rows");
    }
    return new SourceScan(source, begin, end, rows, reverse, mode);
  }

  @Override
  public Scan reverse() {
    return new SourceScan(source, begin, end, limit, !reverse, mode);
  }

  @Override
  public Scan mode(ScanMode portions) {
    return new SourceScan(source, begin, end, limit, reverse, portions);
  }

  @Override
  public Iterator<KeyValue> iterator() {
    if (mode == ScanMode.EXACT && limit == 0) {
      throw UsageException.invalidScanLimit("A scan in mode EXACT needs a limit");
    }
    return source.apply(this);
  }

  @Override
  public List<KeyValue> list() {
    Scan whole = mode == ScanMode.ITERATOR ? mode(ScanMode.WANT_ALL) : this;
    List<KeyValue> rows = new ArrayList<>();
    whole.iterator().forEachRemaining(rows::add);
    return rows;
  }

  @Override
  public Optional<KeyValue> first() {
    Iterator<KeyValue> rows = limit(1).iterator();
    return rows.hasNext() ? Optional.of(rows.next()) : Optional.empty();
  }

  @Override
  public Stream<KeyValue> stream() {
    return StreamSupport.stream(spliterator(), false);
  }

  private final class Rows implements Iterator<KeyValue> {
    private static final int BYTES_SMALL = 4_096;
    private static final int BYTES_MEDIUM = 32_768;
    private static final int BYTES_LARGE = 131_072;
    private static final int BYTES_MAX = 1_048_576;

    private final ScanSource portionSource;
    private KeySelector from = begin;
    private KeySelector to = end;
    private int remaining = limit == 0 ? Integer.MAX_VALUE : limit;
    private int portions;
    private List<KeyValue> rows = List.of();
    private int next;
    private boolean more = true;

    Rows(ScanSource source) {
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
      ScanPortion portion =
          portionSource.fetch(
              new ScanRequest(from, to, remaining, portionBytes(portions++), reverse));
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
