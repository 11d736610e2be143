package dev.tidemark.foundationdb.internal.cluster;

import dev.tidemark.kv.AttachmentKey;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.ScanMode;
import dev.tidemark.kv.spi.scan.SourceScan;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The reads of a transaction, those with conflicts or those without. */
final class ClusterReads implements ReadTransaction {
  private final ClusterTransaction tx;
  private final com.apple.foundationdb.ReadTransaction client;

  ClusterReads(ClusterTransaction tx, com.apple.foundationdb.ReadTransaction client) {
    this.tx = tx;
    this.client = client;
  }

  @Override
  public <T> T attachment(AttachmentKey<T> key) {
    return tx.attachment(key);
  }

  @Override
  public Optional<byte[]> get(Key key) {
    tx.checks().readable(key);
    return Optional.ofNullable(tx.read(() -> tx.await(client.get(key.unsafeBytes()))));
  }

  @Override
  public Map<Key, byte[]> getAll(Collection<Key> keys) {
    keys.forEach(tx.checks()::readable);
    return tx.read(
        () -> {
          Map<Key, CompletableFuture<byte[]>> replies = new LinkedHashMap<>();
          keys.forEach(key -> replies.computeIfAbsent(key, k -> client.get(k.unsafeBytes())));
          Map<Key, byte[]> values = new LinkedHashMap<>();
          replies.forEach((key, reply) -> putIfPresent(values, key, tx.await(reply)));
          return values;
        });
  }

  private static void putIfPresent(Map<Key, byte[]> values, Key key, byte @Nullable [] value) {
    if (value != null) {
      values.put(key, value);
    }
  }

  @Override
  public Key getKey(KeySelector selector) {
    tx.checks().bound(selector.key());
    return Key.wrap(tx.read(() -> tx.await(client.getKey(ClientValues.of(selector)))));
  }

  @Override
  public Scan scan(KeySelector begin, KeySelector end) {
    tx.checks().bound(begin.key());
    tx.checks().bound(end.key());
    return SourceScan.ofRows(this::rows, begin, end);
  }

  private ClusterRows rows(
      KeySelector begin, KeySelector end, int limit, boolean reverse, ScanMode mode) {
    boolean cut = !tx.stamped().isEmpty() && begin.offset() == 1 && end.offset() == 1;
    return new ClusterRows(
        tx,
        cut && first(begin).compareTo(first(end)) < 0
            ? pieces(first(begin), first(end), reverse, mode)
            : List.of(piece(begin, end, reverse, mode)),
        limit);
  }

  /** The key that a selector with an offset of one begins to look for. */
  private static Key first(KeySelector selector) {
    Key key = selector.orEqual() ? selector.key().next() : selector.key();
    return key.compareTo(Key.END) < 0 ? key : Key.END;
  }

  private List<ClusterRows.Piece> pieces(Key begin, Key end, boolean reverse, ScanMode mode) {
    return tx.stamped().pieces(begin, end, reverse).stream()
        .map(
            range ->
                piece(
                    KeySelector.firstGreaterOrEqual(range.begin()),
                    KeySelector.firstGreaterOrEqual(range.end()),
                    reverse,
                    mode))
        .toList();
  }

  private ClusterRows.Piece piece(
      KeySelector begin, KeySelector end, boolean reverse, ScanMode mode) {
    return limit ->
        client
            .getRange(
                ClientValues.of(begin), ClientValues.of(end), limit, reverse, ClientValues.of(mode))
            .iterator();
  }

  @Override
  public long readVersion() {
    return tx.readVersion();
  }

  @Override
  public ReadTransaction snapshot() {
    return tx.snapshot();
  }

  @Override
  public <T, X extends Exception> T read(ReadBody<T, X> body) throws X {
    return body.apply(this);
  }

  long estimatedSize(KeyRange range) {
    return tx.read(
        () ->
            tx.await(
                client.getEstimatedRangeSizeBytes(
                    range.begin().unsafeBytes(), range.end().unsafeBytes())));
  }

  List<Key> splitPoints(KeyRange range, long pieceBytes) {
    return tx
        .read(
            () ->
                tx.await(
                    client.getRangeSplitPoints(
                        range.begin().unsafeBytes(), range.end().unsafeBytes(), pieceBytes)))
        .getKeys()
        .stream()
        .map(Key::wrap)
        .toList();
  }
}
