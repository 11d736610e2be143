package dev.tidemark.chaos.ledger;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Versionstamp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The keys that a child writes.
 *
 * <pre>
 * a/ account                  balance
 * c/ counter                  number, little-endian
 * l/ versionstamp             entry: the log of all commits, in commit order
 * o/ writer                   written when a process takes over the writer, which commits rely on
 * w/ writer sequence          versionstamp: the same commits, by writer
 * </pre>
 */
public final class Layout {
  static final int ACCOUNTS = 1_000;
  static final long OPENING_BALANCE = 1_000;

  /** Few, so that commits of one group meet. */
  static final int COUNTERS = 4;

  /** Writers on virtual threads; the rest of {@link #WRITERS} are platform threads. */
  public static final int VIRTUAL_WRITERS = 40;

  public static final int WRITERS = 48;

  public static final KeyRange LOG = KeyRange.startingWith(Key.utf8("l/"));
  private static final Key ACCOUNT = Key.utf8("a/");
  private static final Key COUNTER = Key.utf8("c/");
  private static final Key OWNER = Key.utf8("o/");
  private static final Key INDEX = Key.utf8("w/");

  private Layout() {}

  public static Key account(int number) {
    return ACCOUNT.append(ByteBuffer.allocate(4).putInt(number).array());
  }

  static Key counter(int number) {
    return COUNTER.append(ByteBuffer.allocate(4).putInt(number).array());
  }

  static byte[] count(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  static long count(byte[] value) {
    return ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  static Key owner(int writer) {
    return OWNER.append(ByteBuffer.allocate(4).putInt(writer).array());
  }

  static Key index(int writer, long sequence) {
    return INDEX.append(ByteBuffer.allocate(12).putInt(writer).putLong(sequence).array());
  }

  /** The index entries of one writer from {@code sequence} on. */
  static KeyRange indexFrom(int writer, long sequence) {
    return KeyRange.of(index(writer, sequence), index(writer + 1, 0));
  }

  static long sequence(Key index) {
    return ByteBuffer.wrap(index.toByteArray()).getLong(index.size() - Long.BYTES);
  }

  public static Key log(Versionstamp stamp) {
    return LOG.begin().append(stamp.toByteArray());
  }

  public static Versionstamp logStamp(Key key) {
    int prefix = LOG.begin().size();
    return Versionstamp.fromBytes(
        Arrays.copyOfRange(key.toByteArray(), prefix, prefix + Versionstamp.BYTES));
  }

  /** The operand of a versionstamped key: the log key, to be filled in at the commit. */
  static Key stampedLogKey() {
    Key key = log(Versionstamp.incomplete(0));
    return key.append(offset(LOG.begin().size()));
  }

  /** The operand of a versionstamped value that is nothing but the stamp. */
  static byte[] stampedValue() {
    ByteBuffer operand = ByteBuffer.allocate(Versionstamp.BYTES + 4);
    operand.put(Versionstamp.incomplete(0).toByteArray()).put(offset(0));
    return operand.array();
  }

  static byte[] balance(long amount) {
    return ByteBuffer.allocate(8).putLong(amount).array();
  }

  static long balance(byte[] value) {
    return ByteBuffer.wrap(value).getLong();
  }

  private static byte[] offset(int position) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(position).array();
  }
}
