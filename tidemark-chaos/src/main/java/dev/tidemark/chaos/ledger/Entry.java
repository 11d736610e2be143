package dev.tidemark.chaos.ledger;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/** One numbered commit of one writer, as its log entry tells it. */
sealed interface Entry {
  int writer();

  /** The writer's own count of its commits, from 1 without gaps. */
  long sequence();

  /** What the commit did to a counter that many commits change without reading it. */
  Count count();

  /** Bytes of filling after the entry, to make a disk full. */
  int padding();

  /**
   * Money moved from one account to another, with both balances as the transaction left them.
   * Replayed in commit order, the balances have to come out the same.
   */
  record Transfer(
      int writer,
      long sequence,
      Count count,
      int padding,
      Move move,
      long fromBalance,
      long toBalance)
      implements Entry {}

  /** A commit that read nothing. */
  record Append(int writer, long sequence, Count count, int padding) implements Entry {}

  /**
   * A counter that is set, or has something added to it. In a group of commits the two make the
   * engine look up a value in the middle of its work, which must not show after a crash.
   */
  record Count(int counter, boolean set, long amount) {
    /** The value after a value of {@code before}. */
    long after(long before) {
      return set ? amount : before + amount;
    }
  }

  /** Which accounts and how much. */
  record Move(int from, int to, long amount) {}

  /** The bytes of this entry, filling included. */
  default byte[] encode() {
    ByteBuffer bytes = ByteBuffer.allocate(63 + padding());
    bytes.putInt(writer()).putLong(sequence()).putInt(padding());
    bytes.putInt(count().counter()).put((byte) (count().set() ? 1 : 0)).putLong(count().amount());
    switch (this) {
      case Append append -> bytes.put((byte) 0);
      case Transfer(var writer, var sequence, var count, var padding, var move, var from, var to) ->
          bytes
              .put((byte) 1)
              .putInt(move.from())
              .putInt(move.to())
              .putLong(move.amount())
              .putLong(from)
              .putLong(to);
    }
    bytes.put(filling(writer(), sequence(), padding()));
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  /** The entry in {@code value}; fails if it is not exactly one, with its filling intact. */
  static Entry decode(byte[] value) {
    ByteBuffer bytes = ByteBuffer.wrap(value);
    int writer = bytes.getInt();
    long sequence = bytes.getLong();
    int padding = bytes.getInt();
    Count count = new Count(bytes.getInt(), bytes.get() == 1, bytes.getLong());
    Entry entry =
        bytes.get() == 0
            ? new Append(writer, sequence, count, padding)
            : new Transfer(
                writer,
                sequence,
                count,
                padding,
                new Move(bytes.getInt(), bytes.getInt(), bytes.getLong()),
                bytes.getLong(),
                bytes.getLong());
    if (!Arrays.equals(entry.encode(), value)) {
      throw new IllegalStateException(
          "The entry of writer %d, number %d is not what was written".formatted(writer, sequence));
    }
    return entry;
  }

  private static byte[] filling(int writer, long sequence, int length) {
    byte[] bytes = new byte[length];
    // Random, so that no compression makes the disk larger than it is.
    new SplittableRandom(writer * 1_000_003L + sequence).nextBytes(bytes);
    return bytes;
  }
}
