package dev.tidemark.partitions.etcd.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import io.etcd.jetcd.ByteSequence;
import java.nio.charset.StandardCharsets;

/**
 * The keys in etcd. After the prefix, {@code r/} and a packed tuple is a row, {@code g/} and a kind
 * is the guard of all rows of that kind, {@code w/} and a channel is a wake-up.
 */
final class EtcdKeys {
  private final Subspace rows;
  private final String guards;
  private final String wakes;

  EtcdKeys(String prefix) {
    this.rows = Subspace.fromPrefix(Key.utf8(prefix + "r/"));
    this.guards = prefix + "g/";
    this.wakes = prefix + "w/";
  }

  ByteSequence row(Tuple key) {
    return bytes(rows.pack(key));
  }

  KeyRange table(Tuple prefix) {
    return rows.range(prefix);
  }

  Key packed(Tuple key) {
    return rows.pack(key);
  }

  Tuple unpack(ByteSequence key) {
    return rows.unpack(Key.wrap(key.getBytes()));
  }

  /** Changes with every row whose key has the same first element. */
  ByteSequence guard(Tuple key) {
    return text(guards + key.get(0));
  }

  ByteSequence wake(String channel) {
    return text(wakes + channel);
  }

  static ByteSequence bytes(Key key) {
    return ByteSequence.from(key.toByteArray());
  }

  private static ByteSequence text(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }
}
