package dev.tidemark.testkit.internal.program;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.NavigableMap;
import java.util.Optional;

/** A write in a random program. */
public sealed interface WriteStep extends Step {
  /** Makes the write in {@code tx}. */
  void run(Transaction tx);

  /** Does to a sorted map what the write does, committed with {@code stamp}. */
  void apply(NavigableMap<Key, byte[]> model, Versionstamp stamp);

  /** A key gets a value. */
  record Set(Key key, Operand value) implements WriteStep {
    @Override
    public void run(Transaction tx) {
      tx.set(key, value.bytes());
    }

    @Override
    public void apply(NavigableMap<Key, byte[]> model, Versionstamp stamp) {
      model.put(key, value.bytes());
    }
  }

  /** A key vanishes. */
  record Clear(Key key) implements WriteStep {
    @Override
    public void run(Transaction tx) {
      tx.clear(key);
    }

    @Override
    public void apply(NavigableMap<Key, byte[]> model, Versionstamp stamp) {
      model.remove(key);
    }
  }

  /** The keys of a range vanish. */
  record ClearRange(KeyRange range) implements WriteStep {
    @Override
    public void run(Transaction tx) {
      tx.clear(range);
    }

    @Override
    public void apply(NavigableMap<Key, byte[]> model, Versionstamp stamp) {
      model.subMap(range.begin(), true, range.end(), false).clear();
    }
  }

  /** A value is changed by an atomic operation. */
  record Mutate(MutationType type, Key key, Operand operand) implements WriteStep {
    @Override
    public void run(Transaction tx) {
      tx.mutate(type, key, operand.bytes());
    }

    @Override
    public void apply(NavigableMap<Key, byte[]> model, Versionstamp stamp) {
      Optional<byte[]> before = Optional.ofNullable(model.get(key));
      type.apply(before, operand.bytes(), Limits.DEFAULTS)
          .ifPresentOrElse(value -> model.put(key, value), () -> model.remove(key));
    }
  }

  /** A write that others do not conflict with. */
  record Quiet(WriteStep write) implements WriteStep {
    @Override
    public void run(Transaction tx) {
      tx.nextWriteWithoutConflict();
      write.run(tx);
    }

    @Override
    public void apply(NavigableMap<Key, byte[]> model, Versionstamp stamp) {
      write.apply(model, stamp);
    }
  }

  /** A key that ends in the stamp of the commit gets a value. */
  record StampedKey(Key prefix, int userVersion, Operand value) implements WriteStep {
    @Override
    public void run(Transaction tx) {
      byte[] stamp = Versionstamp.incomplete(userVersion).toByteArray();
      byte[] offset =
          ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(prefix.size()).array();
      tx.mutate(
          MutationType.SET_VERSIONSTAMPED_KEY, prefix.append(stamp).append(offset), value.bytes());
    }

    @Override
    public void apply(NavigableMap<Key, byte[]> model, Versionstamp stamp) {
      Versionstamp full = Versionstamp.of(stamp.version(), stamp.batch(), userVersion);
      model.put(prefix.append(full.toByteArray()), value.bytes());
    }
  }

  /** A key gets the stamp of the commit as its value. */
  record StampedValue(Key key) implements WriteStep {
    @Override
    public void run(Transaction tx) {
      tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, key, new byte[16]);
    }

    @Override
    public void apply(NavigableMap<Key, byte[]> model, Versionstamp stamp) {
      byte[] value = stamp.toByteArray();
      model.put(key, value);
    }
  }
}
