package dev.tidemark.testkit;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Versionstamp;
import java.util.Arrays;
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
  record Stamped(boolean inKey, Template key, Template value) implements ModelWrite {
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

  /** Bytes with a place for the ten bytes of a stamp; without one if {@code offset} is -1. */
  final class Template {
    private final byte[] bytes;
    private final int offset;

    private Template(byte[] bytes, int offset) {
      this.bytes = bytes;
      this.offset = offset;
    }

    static Template plain(byte[] bytes) {
      return new Template(bytes.clone(), -1);
    }

    /** Takes the last four bytes, a little-endian offset, off {@code bytes}. */
    static Template parse(byte[] bytes) {
      int length = bytes.length - 4;
      if (length < 0) {
        throw UsageException.invalidMutation(
            "A versionstamped operand ends in four bytes of offset; this one has only "
                + bytes.length);
      }
      long offset = 0;
      for (int i = 3; i >= 0; i--) {
        offset = offset << 8 | (bytes[length + i] & 0xff);
      }
      if (offset + Versionstamp.COMMIT_BYTES > length) {
        throw UsageException.invalidMutation(
            "The versionstamp would take bytes %d to %d; there are only %d"
                .formatted(offset, offset + Versionstamp.COMMIT_BYTES, length));
      }
      return new Template(Arrays.copyOf(bytes, length), (int) offset);
    }

    byte[] plain() {
      return bytes.clone();
    }

    byte[] filled(Versionstamp stamp) {
      byte[] filled = bytes.clone();
      System.arraycopy(stamp.toByteArray(), 0, filled, offset, Versionstamp.COMMIT_BYTES);
      return filled;
    }
  }
}
