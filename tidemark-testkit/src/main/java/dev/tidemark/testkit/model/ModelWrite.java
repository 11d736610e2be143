package dev.tidemark.testkit.model;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.testkit.internal.StampTemplate;
import java.util.Optional;
import java.util.SortedMap;

/** One write as it was made; a transaction of the model is a list of them. */
sealed interface ModelWrite {
  /** The write does to {@code contents} what it does at a commit with {@code stamp}. */
  void apply(SortedMap<Key, byte[]> contents, Versionstamp stamp, Limits limits);

  /** What readers conflict with. */
  KeyRange written(Versionstamp stamp);

  /** Bytes that count against the size of the transaction. */
  long size();

  /** A key gets a value. */
  final class Put implements ModelWrite {
    private final Key key;
    private final byte[] value;

    Put(Key key, byte[] value) {
      this.key = key;
      this.value = value.clone();
    }

    @Override
    public void apply(SortedMap<Key, byte[]> contents, Versionstamp stamp, Limits limits) {
      contents.put(key, value);
    }

    @Override
    public KeyRange written(Versionstamp stamp) {
      return KeyRange.single(key);
    }

    @Override
    public long size() {
      return (long) key.size() + value.length;
    }
  }

  /** The keys of a range vanish. */
  record Erase(KeyRange range) implements ModelWrite {
    @Override
    public void apply(SortedMap<Key, byte[]> contents, Versionstamp stamp, Limits limits) {
      contents.subMap(range.begin(), range.end()).clear();
    }

    @Override
    public KeyRange written(Versionstamp stamp) {
      return range;
    }

    @Override
    public long size() {
      return (long) range.begin().size() + range.end().size();
    }
  }

  /** A value is changed by an atomic operation. */
  final class Change implements ModelWrite {
    private final MutationType type;
    private final Key key;
    private final byte[] operand;

    Change(MutationType type, Key key, byte[] operand) {
      this.type = type;
      this.key = key;
      this.operand = operand.clone();
    }

    @Override
    public void apply(SortedMap<Key, byte[]> contents, Versionstamp stamp, Limits limits) {
      Optional<byte[]> before = Optional.ofNullable(contents.get(key));
      type.apply(before, operand, limits)
          .ifPresentOrElse(value -> contents.put(key, value), () -> contents.remove(key));
    }

    @Override
    public KeyRange written(Versionstamp stamp) {
      return KeyRange.single(key);
    }

    @Override
    public long size() {
      return (long) key.size() + operand.length;
    }
  }

  /** A key or a value gets the stamp of the commit. */
  record Stamped(boolean inKey, StampTemplate key, StampTemplate value) implements ModelWrite {
    @Override
    public void apply(SortedMap<Key, byte[]> contents, Versionstamp stamp, Limits limits) {
      contents.put(storedKey(stamp), inKey ? value.plain() : value.filled(stamp));
    }

    @Override
    public KeyRange written(Versionstamp stamp) {
      return KeyRange.single(storedKey(stamp));
    }

    private Key storedKey(Versionstamp stamp) {
      return Key.wrap(inKey ? key.filled(stamp) : key.plain());
    }

    @Override
    public long size() {
      return (long) key.plain().length + value.plain().length;
    }
  }
}
