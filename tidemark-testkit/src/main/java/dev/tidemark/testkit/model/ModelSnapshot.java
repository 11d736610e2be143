package dev.tidemark.testkit.model;

import dev.tidemark.kv.AttachmentKey;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** The reads of a transaction of the model, without conflicts. */
record ModelSnapshot(ModelTransaction transaction) implements ReadTransaction {
  @Override
  public Optional<byte[]> get(Key key) {
    return transaction.get(key, false);
  }

  @Override
  public Map<Key, byte[]> getAll(Collection<Key> keys) {
    return transaction.getAll(keys, false);
  }

  @Override
  public Key getKey(KeySelector selector) {
    return transaction.getKey(selector, false);
  }

  @Override
  public Scan scan(KeySelector begin, KeySelector end) {
    return transaction.scan(begin, end, false);
  }

  @Override
  public long readVersion() {
    return transaction.readVersion();
  }

  @Override
  public <T> T attachment(AttachmentKey<T> key) {
    return transaction.attachment(key);
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
