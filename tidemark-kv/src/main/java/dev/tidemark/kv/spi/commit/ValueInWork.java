package dev.tidemark.kv.spi.commit;

import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A value to which many mutations are applied. What is appended goes into room behind it, so that a
 * long value is not copied for each of many short appends. For one thread.
 */
final class ValueInWork {
  private final Limits limits;

  /** The value, and room behind it; null without one. */
  private byte @Nullable [] bytes;

  private int length;

  /** Whether the array was made here, and so may be written to. */
  private boolean own;

  private ValueInWork(byte @Nullable [] value, Limits limits) {
    this.limits = limits;
    set(value);
  }

  /** What {@code operations} make of {@code value}, one after the other; null for none. */
  static byte @Nullable [] after(
      byte @Nullable [] value, List<Write.Operation> operations, Limits limits) {
    if (operations.size() == 1) {
      Write.Operation only = operations.getFirst();
      return only.type().apply(Optional.ofNullable(value), only.operand(), limits).orElse(null);
    }
    ValueInWork work = new ValueInWork(value, limits);
    for (Write.Operation operation : operations) {
      work.apply(operation.type(), operation.operand());
    }
    return work.value();
  }

  private void apply(MutationType type, byte[] operand) {
    switch (type) {
      case APPEND_IF_FITS -> append(operand);
      case COMPARE_AND_CLEAR -> {
        if (bytes != null && Arrays.equals(bytes, 0, length, operand, 0, operand.length)) {
          set(null);
        }
      }
      case BYTE_MAX -> {
        if (bytes == null || compareTo(operand) < 0) {
          set(operand);
        }
      }
      case BYTE_MIN -> {
        if (bytes == null || compareTo(operand) > 0) {
          set(operand);
        }
      }
      case ADD,
          BIT_AND,
          BIT_OR,
          BIT_XOR,
          MAX,
          MIN,
          SET_VERSIONSTAMPED_KEY,
          SET_VERSIONSTAMPED_VALUE ->
          set(type.apply(Optional.ofNullable(value()), operand, limits).orElse(null));
    }
  }

  private int compareTo(byte[] operand) {
    return Arrays.compareUnsigned(bytes, 0, length, operand, 0, operand.length);
  }

  private void append(byte[] operand) {
    byte[] before = bytes;
    if (before == null) {
      set(operand);
      return;
    }
    int longer = length + operand.length;
    if (longer > limits.valueBytes() || operand.length == 0) {
      return;
    }
    byte[] room = before;
    if (!own || longer > before.length) {
      room = Arrays.copyOf(before, Math.max(longer, Math.min(2 * length, limits.valueBytes())));
    }
    System.arraycopy(operand, 0, room, length, operand.length);
    bytes = room;
    length = longer;
    own = true;
  }

  private void set(byte @Nullable [] value) {
    bytes = value;
    length = value == null ? 0 : value.length;
    own = false;
  }

  private byte @Nullable [] value() {
    return bytes == null || length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }
}
