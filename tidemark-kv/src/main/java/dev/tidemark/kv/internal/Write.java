package dev.tidemark.kv.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.UnreadableKeyException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a transaction does to one key, with all its writes of that key taken together. */
public sealed interface Write {
  /** The key is removed. */
  Write CLEAR = new Clear();

  /** Bytes that this write counts towards the size of its transaction, the key aside. */
  int size();

  /**
   * The value after this write where {@code existing} is stored before it; null for none.
   *
   * @throws UnreadableKeyException if it depends on the versionstamp
   */
  byte @Nullable [] applyTo(byte @Nullable [] existing, Key key, Limits limits);

  /** A value that is known now. The array is never changed. */
  @SuppressWarnings("ArrayRecordComponent") // private to the engines, which do not compare writes
  record Put(byte[] value) implements Write {
    @Override
    public int size() {
      return value.length;
    }

    @Override
    public byte[] applyTo(byte @Nullable [] existing, Key key, Limits limits) {
      return value;
    }
  }

  /** No value. */
  record Clear() implements Write {
    @Override
    public int size() {
      return 0;
    }

    @Override
    public byte @Nullable [] applyTo(byte @Nullable [] existing, Key key, Limits limits) {
      return null;
    }
  }

  /** Mutations, in order, of a value that is known only at commit. */
  record Mutate(List<Operation> operations) implements Write {
    @Override
    public int size() {
      int size = 0;
      for (Operation operation : operations) {
        size += operation.operand().length;
      }
      return size;
    }

    /** Whether the value contains the versionstamp of the commit. */
    public boolean isVersionstamped() {
      return operations.getFirst().type().isVersionstamped();
    }

    @Override
    public byte @Nullable [] applyTo(byte @Nullable [] existing, Key key, Limits limits) {
      if (isVersionstamped()) {
        throw new UnreadableKeyException(key);
      }
      Optional<byte[]> value = Optional.ofNullable(existing);
      for (Operation operation : operations) {
        value = operation.type().apply(value, operation.operand(), limits);
      }
      return value.orElse(null);
    }

    /** These mutations and one more; two of a kind become one where that is the same. */
    Mutate then(Operation operation, Limits limits) {
      int kept = operations.size();
      if (kept > 1 && operations.getLast().isUndoneBy(operation)) {
        kept--;
      }
      Operation last = operations.get(kept - 1);
      if (!last.folds(operation)) {
        return with(operations.size(), operation);
      }
      Optional<byte[]> both =
          last.type().apply(Optional.of(last.operand()), operation.operand(), limits);
      return with(kept - 1, new Operation(last.type(), both.orElseThrow()));
    }

    /** The first {@code kept} mutations and then {@code operation}. */
    private Mutate with(int kept, Operation operation) {
      List<Operation> all = new ArrayList<>(kept + 1);
      all.addAll(operations.subList(0, kept));
      all.add(operation);
      return new Mutate(Collections.unmodifiableList(all));
    }
  }

  /** One mutation. The array is never changed. */
  @SuppressWarnings("ArrayRecordComponent") // private to the engines, which do not compare writes
  record Operation(MutationType type, byte[] operand) {
    /**
     * Whether it makes no difference before {@code next} that this one clears a zero: to add to
     * zero is to add to nothing.
     */
    boolean isUndoneBy(Operation next) {
      return type == MutationType.COMPARE_AND_CLEAR
          && next.type == MutationType.ADD
          && Arrays.equals(operand, new byte[next.operand.length]);
    }

    /** Whether this and {@code next} do what one mutation by both operands does. */
    boolean folds(Operation next) {
      return type == next.type
          && operand.length == next.operand.length
          && switch (type) {
            case ADD, BIT_AND, BIT_OR, BIT_XOR, MAX, MIN, BYTE_MAX, BYTE_MIN -> true;
            case APPEND_IF_FITS,
                COMPARE_AND_CLEAR,
                SET_VERSIONSTAMPED_KEY,
                SET_VERSIONSTAMPED_VALUE ->
                false;
          };
    }
  }
}
