package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.records.changes.ChangePosition;
import dev.tidemark.records.internal.keys.StreamKeys;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A partition as it is stored.
 *
 * @param number its number in keys
 * @param begin where its range begins, as a packed (type, primary key...)
 * @param end where its range ends
 * @param start the commit that made it
 * @param ended the commit that ended it; null while it is active
 * @param parents those that had its range before
 * @param children the numbers of those that have it now, which began when it ended
 */
record PartitionRow(
    int number,
    Key begin,
    Key end,
    Versionstamp start,
    @Nullable Versionstamp ended,
    List<Token> parents,
    List<Integer> children) {
  /** The range of all records. */
  static final Key FIRST = Key.EMPTY;

  static final Key LAST = Key.of((byte) 0xff);

  private static final int VERSION = 1;
  private static final int START_AT = 1;
  private static final int ENDED_AT = START_AT + Versionstamp.COMMIT_BYTES;
  private static final int TUPLE_AT = ENDED_AT + Versionstamp.COMMIT_BYTES;
  private static final Versionstamp UNKNOWN = Versionstamp.of(0, 0, 0);

  PartitionRow {
    parents = List.copyOf(parents);
    children = List.copyOf(children);
  }

  /** A partition that begins with the commit that writes it. */
  static PartitionRow beginning(int number, Key begin, Key end, List<Token> parents) {
    return new PartitionRow(number, begin, end, UNKNOWN, null, parents, List.of());
  }

  Token token() {
    return new Token(start, number);
  }

  ChangePosition startPosition() {
    return new ChangePosition(start, 0);
  }

  boolean contains(Key key) {
    return begin.compareTo(key) <= 0 && key.compareTo(end) < 0;
  }

  /** Has the commit of {@code tx} begin this partition. */
  void begin(Transaction tx, StreamKeys keys) {
    tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, keys.active(number), bytes(START_AT));
  }

  /** Has the commit of {@code tx} end this partition, which {@code next} go on with. */
  void end(Transaction tx, StreamKeys keys, List<Integer> next) {
    tx.clear(keys.active(number));
    PartitionRow over = new PartitionRow(number, begin, end, start, UNKNOWN, parents, next);
    tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, keys.ended(number), over.bytes(ENDED_AT));
  }

  private byte[] bytes(int stampAt) {
    Tuple tuple =
        Tuple.of(begin.toByteArray(), end.toByteArray())
            .nest(Token.encode(parents))
            .nest(Tuple.copyOf(children));
    byte[] packed = tuple.pack();
    return ByteBuffer.allocate(TUPLE_AT + packed.length + Integer.BYTES)
        .put((byte) VERSION)
        .put(start.toByteArray(), 0, Versionstamp.COMMIT_BYTES)
        .put((ended == null ? UNKNOWN : ended).toByteArray(), 0, Versionstamp.COMMIT_BYTES)
        .put(packed)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(stampAt)
        .array();
  }

  static PartitionRow parse(int number, byte[] bytes) {
    if (bytes.length < TUPLE_AT || bytes[0] != VERSION) {
      throw new DamagedRecordException(
          "A partition of a change log has format %d; this version of Tidemark reads format %d"
              .formatted(bytes.length == 0 ? -1 : bytes[0], VERSION));
    }
    Tuple tuple = Tuple.unpack(Arrays.copyOfRange(bytes, TUPLE_AT, bytes.length));
    List<Integer> children = new ArrayList<>();
    Tuple numbers = tuple.getTuple(3);
    for (int i = 0; i < numbers.size(); i++) {
      children.add(numbers.getInt(i));
    }
    Versionstamp ended = stamp(bytes, ENDED_AT);
    return new PartitionRow(
        number,
        Key.wrap(tuple.getBytes(0)),
        Key.wrap(tuple.getBytes(1)),
        stamp(bytes, START_AT),
        ended.equals(UNKNOWN) ? null : ended,
        Token.decode(tuple.getTuple(2)),
        children);
  }

  private static Versionstamp stamp(byte[] bytes, int at) {
    ByteBuffer in = ByteBuffer.wrap(bytes, at, Versionstamp.COMMIT_BYTES);
    return Versionstamp.of(in.getLong(), in.getShort() & 0xffff, 0);
  }
}
