package dev.tidemark.kv.spi;

import dev.tidemark.kv.AttachmentKey;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** The reads of a transaction that add no read conflicts. */
record SnapshotView(OverlaidReads tx) implements ReadTransaction {
  @Override
  public Optional<byte[]> get(Key key) {
    return tx.get(key, false);
  }

  @Override
  public Map<Key, byte[]> getAll(Collection<Key> keys) {
    return tx.getAll(keys, false);
  }

  @Override
  public Key getKey(KeySelector selector) {
    return tx.getKey(selector, false);
  }

  @Override
  public Scan scan(KeySelector begin, KeySelector end) {
    return tx.scan(begin, end, false);
  }

  @Override
  public long readVersion() {
    return tx.readVersion();
  }

  @Override
  public <T> T attachment(AttachmentKey<T> key) {
    return tx.attachment(key);
  }

  @Override
  public ReadTransaction snapshot() {
    return this;
  }

  @Override
  public <T, X extends Exception> T read(ReadBody<T, X> body) throws X {
    return body.apply(this);
  }
}
