package dev.tidemark.kv.spi.commit;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.UnreadableKeyException;
import java.util.Arrays;
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

  /**
   * Mutations, in order, of a value that is known only at commit. Each is kept with those before
   * it, so that one more takes the same time however many there are.
   */
  final class Mutate implements Write {
    /** What an operation counts that could not be taken together with those before it. */
    static final int OPERATION_BYTES = 32;

    private final @Nullable Mutate before;
    private final Operation last;
    private final int count;
    private final int size;
    private final boolean versionstamped;

    /** One mutation. */
    Mutate(Operation only) {
      this.before = null;
      this.last = only;
      this.count = 1;
      this.size = only.operand().length;
      this.versionstamped = only.type().isVersionstamped();
    }

    private Mutate(Mutate before, Operation last) {
      this.before = before;
      this.last = last;
      this.count = before.count + 1;
      this.size = before.size + OPERATION_BYTES + last.operand().length;
      this.versionstamped = before.versionstamped;
    }

    @Override
    public int size() {
      return size;
    }

    /** Whether the value contains the versionstamp of the commit. */
    public boolean isVersionstamped() {
      return versionstamped;
    }

    /** All of them, in order. */
    public List<Operation> operations() {
      Operation[] all = new Operation[count];
      int i = count;
      for (Mutate at = this; at != null; at = at.before) {
        all[--i] = at.last;
      }
      return List.of(all);
    }

    @Override
    public byte @Nullable [] applyTo(byte @Nullable [] existing, Key key, Limits limits) {
      if (versionstamped) {
        throw new UnreadableKeyException(key);
      }
      return ValueInWork.after(existing, operations(), limits);
    }

    /** The first of them. */
    public Operation first() {
      Mutate at = this;
      while (at.before != null) {
        at = at.before;
      }
      return at.last;
    }

    /** The value, which is versionstamped, after {@code stamped} was set by the first mutation. */
    public byte @Nullable [] applyAfterStamp(byte[] stamped, Limits limits) {
      return count == 1
          ? stamped
          : ValueInWork.after(stamped, operations().subList(1, count), limits);
    }

    /** These mutations and one more; two of a kind become one where that is the same. */
    Mutate then(Operation operation, Limits limits) {
      if (operation.isNothingAfter(last)) {
        return this;
      }
      Mutate kept = before != null && last.isUndoneBy(operation) ? before : this;
      if (!kept.last.folds(operation)) {
        return new Mutate(this, operation);
      }
      Optional<byte[]> both =
          kept.last.type().apply(Optional.of(kept.last.operand()), operation.operand(), limits);
      Operation folded = new Operation(kept.last.type(), both.orElseThrow());
      return kept.before == null ? new Mutate(folded) : new Mutate(kept.before, folded);
    }

    @Override
    public String toString() {
      return operations().toString();
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

    /** Whether this one changes nothing right behind {@code before}. */
    boolean isNothingAfter(Operation before) {
      return switch (type) {
        // After anything else there is a value, to which nothing is appended.
        case APPEND_IF_FITS -> operand.length == 0 && before.type != MutationType.COMPARE_AND_CLEAR;
        case COMPARE_AND_CLEAR -> before.type == type && Arrays.equals(before.operand, operand);
        case ADD,
            BIT_AND,
            BIT_OR,
            BIT_XOR,
            MAX,
            MIN,
            BYTE_MAX,
            BYTE_MIN,
            SET_VERSIONSTAMPED_KEY,
            SET_VERSIONSTAMPED_VALUE ->
            false;
      };
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
