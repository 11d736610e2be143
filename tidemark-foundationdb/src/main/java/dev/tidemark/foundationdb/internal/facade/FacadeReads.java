package dev.tidemark.foundationdb.internal.facade;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeyArrayResult;
import com.apple.foundationdb.KeyRangeArrayResult;
import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MappedKeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.async.AsyncIterable;
import dev.tidemark.foundationdb.internal.FdbErrors;
import dev.tidemark.kv.Scan;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The reads that a transaction and its snapshot view have in common. */
abstract class FacadeReads implements ReadTransaction {
  /** Where to read, if reading is still allowed. */
  abstract dev.tidemark.kv.ReadTransaction reads();

  /** Where to ask for estimates, if reading is still allowed. */
  abstract dev.tidemark.kv.Database store();

  /** The result of {@code read}, which is done in this call. */
  abstract <T> CompletableFuture<T> answered(Supplier<T> read);

  /** Throws if a cluster would refuse mapped ranges here. */
  abstract void checkMappedRanges();

  /** Clears a row that was read, also one that a snapshot view has read. */
  abstract void remove(byte[] key);

  // ---- keys

  @Override
  public CompletableFuture<byte[]> get(byte[] key) {
    return answered(() -> reads().get(StoreValues.key(key)).orElse(null));
  }

  @Override
  public CompletableFuture<byte[]> getKey(KeySelector selector) {
    return answered(() -> reads().getKey(StoreValues.selector(selector)).toByteArray());
  }

  // ---- ranges

  @Override
  public AsyncIterable<KeyValue> getRange(
      KeySelector begin, KeySelector end, int limit, boolean reverse, StreamingMode mode) {
    return new RangeRows<>(
        portions -> rows(begin, end, limit, reverse, portions), mode, this::remove, this::answered);
  }

  @Override
  public AsyncIterable<MappedKeyValue> getMappedRange(
      KeySelector begin,
      KeySelector end,
      byte[] mapper,
      int limit,
      boolean reverse,
      StreamingMode mode) {
    return new RangeRows<>(
        portions -> {
          checkMappedRanges();
          KeyMapper parsed = KeyMapper.parse(mapper);
          Iterator<KeyValue> rows = rows(begin, end, limit, reverse, portions);
          return new MappedRows(rows, parsed, reads());
        },
        mode,
        this::remove,
        this::answered);
  }

  private Iterator<KeyValue> rows(
      KeySelector begin, KeySelector end, int limit, boolean reverse, StreamingMode mode) {
    if (OneShard.holds(begin.getKey()) && OneShard.holds(end.getKey())) {
      store();
      return OneShard.boundaries(begin.getKey(), end.getKey());
    }
    if (limit == ROW_LIMIT_UNLIMITED && mode == StreamingMode.EXACT) {
      throw new FDBException(
          "A range in mode EXACT needs a limit", FdbErrors.EXACT_MODE_WITHOUT_LIMITS);
    }
    Scan scan =
        reads()
            .scan(StoreValues.selector(begin), StoreValues.selector(end))
            .mode(StoreValues.mode(mode));
    Scan limited = limit == ROW_LIMIT_UNLIMITED ? scan : scan.limit(limit);
    Iterator<dev.tidemark.kv.KeyValue> rows = (reverse ? limited.reverse() : limited).iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return rows.hasNext();
      }

      @Override
      public KeyValue next() {
        return StoreValues.row(rows.next());
      }
    };
  }

  @Override
  public AsyncIterable<KeyValue> getRange(KeySelector begin, KeySelector end) {
    return getRange(begin, end, ROW_LIMIT_UNLIMITED);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(KeySelector begin, KeySelector end, int limit) {
    return getRange(begin, end, limit, false);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(
      KeySelector begin, KeySelector end, int limit, boolean reverse) {
    return getRange(begin, end, limit, reverse, StreamingMode.ITERATOR);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(byte[] begin, byte[] end) {
    return getRange(begin, end, ROW_LIMIT_UNLIMITED);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(byte[] begin, byte[] end, int limit) {
    return getRange(begin, end, limit, false);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(byte[] begin, byte[] end, int limit, boolean reverse) {
    return getRange(begin, end, limit, reverse, StreamingMode.ITERATOR);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(
      byte[] begin, byte[] end, int limit, boolean reverse, StreamingMode mode) {
    return getRange(
        KeySelector.firstGreaterOrEqual(begin),
        KeySelector.firstGreaterOrEqual(end),
        limit,
        reverse,
        mode);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(Range range) {
    return getRange(range, ROW_LIMIT_UNLIMITED);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(Range range, int limit) {
    return getRange(range, limit, false);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(Range range, int limit, boolean reverse) {
    return getRange(range, limit, reverse, StreamingMode.ITERATOR);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(
      Range range, int limit, boolean reverse, StreamingMode mode) {
    return getRange(range.begin, range.end, limit, reverse, mode);
  }

  // ---- estimates

  @Override
  public CompletableFuture<Long> getEstimatedRangeSizeBytes(byte[] begin, byte[] end) {
    return answered(() -> store().estimatedSize(StoreValues.range(begin, end)));
  }

  @Override
  public CompletableFuture<Long> getEstimatedRangeSizeBytes(Range range) {
    return getEstimatedRangeSizeBytes(range.begin, range.end);
  }

  @Override
  public CompletableFuture<KeyArrayResult> getRangeSplitPoints(
      byte[] begin, byte[] end, long chunkSize) {
    return answered(
        () -> StoreValues.keys(store().splitPoints(StoreValues.range(begin, end), chunkSize)));
  }

  @Override
  public CompletableFuture<KeyArrayResult> getRangeSplitPoints(Range range, long chunkSize) {
    return getRangeSplitPoints(range.begin, range.end, chunkSize);
  }

  @Override
  public CompletableFuture<KeyRangeArrayResult> getBlobGranuleRanges(
      byte[] begin, byte[] end, int rowLimit) {
    return CompletableFuture.failedFuture(FdbErrors.notOffered("Blob granules"));
  }
}
