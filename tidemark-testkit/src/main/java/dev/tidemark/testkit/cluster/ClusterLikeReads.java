package dev.tidemark.testkit.cluster;

import dev.tidemark.kv.AttachmentKey;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.spi.scan.SourceScan;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** The reads of a {@link ClusterLikeTransaction}: those with conflicts, or those without. */
record ClusterLikeReads(ClusterLikeTransaction transaction, ReadTransaction delegate)
    implements ReadTransaction {
  @Override
  public Optional<byte[]> get(Key key) {
    return transaction.read(() -> delegate.get(key));
  }

  @Override
  public Map<Key, byte[]> getAll(Collection<Key> keys) {
    return transaction.read(() -> delegate.getAll(keys));
  }

  @Override
  public Key getKey(KeySelector selector) {
    return transaction.read(() -> delegate.getKey(selector));
  }

  @Override
  public Scan scan(KeySelector begin, KeySelector end) {
    Scan checked = delegate.scan(begin, end);
    return SourceScan.ofRows(
        (from, to, limit, reverse, mode) -> {
          Scan portions = checked.mode(mode);
          Scan limited = limit == 0 ? portions : portions.limit(limit);
          return new ClusterLikeRows(
              transaction, (reverse ? limited.reverse() : limited).iterator());
        },
        begin,
        end);
  }

  @Override
  public long readVersion() {
    return transaction.read(delegate::readVersion);
  }

  @Override
  public ReadTransaction snapshot() {
    return transaction.snapshot();
  }

  @Override
  public <T> T attachment(AttachmentKey<T> key) {
    return transaction.attachment(key);
  }

  @Override
  public <T, X extends Exception> T read(ReadBody<T, X> body) throws X {
    return body.apply(this);
  }
}
