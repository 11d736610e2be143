package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.records.internal.format.Codes;
import dev.tidemark.records.internal.keys.StreamKeys;
import dev.tidemark.records.schema.CaptureType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/*
 * A row begins with the version of the format (1) and a byte for its kind: 0 a change, 1 the end of the partition, 2 a
 * row in pieces. What follows:
 *
 *   a change        flags (bit 0 the last of its transaction in this partition, bit 1 made by the store), the capture
 *                   type (a byte each); the number of the type; the packed primary key with its length; how many changes
 *                   the transaction has in the stream, in how many partitions; the tag with its length; then the
 *                   content, as a record is stored (see RecordBytes)
 *   an end          a packed tuple: nested the numbers of the children, nested the parents (start, number)
 *   in pieces       the number of pieces and the length of all of them, 4 bytes each, big-endian
 */

/** A row of the log of a partition. */
sealed interface LogRow {
  /** The version of the format that is written, and the newest that is read. */
  int VERSION = 1;

  int CHANGE = 0;
  int END = 1;
  int PIECES = 2;

  int LAST_FLAG = 1;
  int SYSTEM_FLAG = 2;

  /** Bytes of a row that says in how many pieces it follows. */
  int PIECES_BYTES = 2 + 2 * Integer.BYTES;

  byte[] toBytes();

  /**
   * A change of a record.
   *
   * @param last whether it is the last of its transaction in this partition
   * @param system whether the store made it by itself
   * @param capture which values are kept
   * @param type the number of the record's type
   * @param primaryKey the packed primary key
   * @param records how many changes the transaction has in the stream
   * @param partitions in how many partitions
   * @param tag what the transaction is called
   * @param content the kind of the change and the values, as a record is stored
   */
  record Change(
      boolean last,
      boolean system,
      CaptureType capture,
      int type,
      Wire primaryKey,
      int records,
      int partitions,
      String tag,
      Wire content)
      implements LogRow {
    @Override
    public byte[] toBytes() {
      return new ByteWriter(24 + primaryKey.length() + tag.length() + content.length())
          .put(VERSION)
          .put(CHANGE)
          .put((last ? LAST_FLAG : 0) | (system ? SYSTEM_FLAG : 0))
          .put(Codes.CAPTURE_TYPES.of(capture))
          .number(type)
          .sized(primaryKey)
          .number(records)
          .number(partitions)
          .sized(tag.getBytes(StandardCharsets.UTF_8))
          .put(content)
          .toByteArray();
    }
  }

  /**
   * The end of the partition.
   *
   * @param children the numbers of those that go on, from the commit that wrote this
   * @param parents all that ended with that commit for them, this partition among them
   */
  record End(List<Integer> children, List<Token> parents) implements LogRow {
    @Override
    public byte[] toBytes() {
      return new ByteWriter(64)
          .put(VERSION)
          .put(END)
          .put(Tuple.EMPTY.nest(Tuple.copyOf(children)).nest(Token.encode(parents)).pack())
          .toByteArray();
    }
  }

  /**
   * A row that does not fit a value.
   *
   * @param pieces how many pieces it has
   * @param length how long they are together
   */
  record InPieces(int pieces, int length) implements LogRow {
    @Override
    public byte[] toBytes() {
      return ByteBuffer.allocate(PIECES_BYTES)
          .put((byte) VERSION)
          .put((byte) PIECES)
          .putInt(pieces)
          .putInt(length)
          .array();
    }
  }

  /** Has the commit of {@code tx} write this row into the log of {@code partition}. */
  default void write(Transaction tx, Subspace partition, int sequence, int valueMax) {
    byte[] bytes = toBytes();
    Key key = StreamKeys.row(partition, sequence);
    if (bytes.length <= valueMax) {
      set(tx, key, bytes);
      return;
    }
    int pieces = (bytes.length + valueMax - 1) / valueMax;
    set(tx, key, new InPieces(pieces, bytes.length).toBytes());
    for (int i = 0; i < pieces; i++) {
      int from = i * valueMax;
      byte[] piece = Arrays.copyOfRange(bytes, from, Math.min(from + valueMax, bytes.length));
      set(tx, StreamKeys.piece(partition, sequence, i + 1), piece);
    }
  }

  /** No transaction can have read a new row, so it needs no write conflict. */
  private static void set(Transaction tx, Key key, byte[] value) {
    tx.nextWriteWithoutConflict();
    tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, key, value);
  }

  static LogRow parse(byte[] bytes) {
    if (bytes.length < 2 || bytes[0] != VERSION) {
      throw new DamagedRecordException(
          "A row of a change log has format %d; this version of Tidemark reads format %d. Use a newer one"
              .formatted(bytes.length == 0 ? -1 : bytes[0], VERSION));
    }
    return switch (bytes[1]) {
      case CHANGE -> change(new ByteReader(new Wire(bytes, 2)));
      case END -> end(Tuple.unpack(Arrays.copyOfRange(bytes, 2, bytes.length)));
      case PIECES -> {
        if (bytes.length != PIECES_BYTES) {
          throw new DamagedRecordException(
              "A row of a change log is in pieces but does not say in how many");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, 2, 2 * Integer.BYTES);
        yield new InPieces(in.getInt(), in.getInt());
      }
      default ->
          throw new DamagedRecordException(
              "A row of a change log is of kind %d; this version of Tidemark does not know it"
                  .formatted(bytes[1]));
    };
  }

  private static Change change(ByteReader in) {
    int flags = in.next();
    return new Change(
        (flags & LAST_FLAG) != 0,
        (flags & SYSTEM_FLAG) != 0,
        Codes.CAPTURE_TYPES.constant(in.next()),
        in.number(),
        in.sized(),
        in.number(),
        in.number(),
        text(in.sized()),
        in.rest());
  }

  private static String text(Wire utf8) {
    return utf8.length() == 0
        ? ""
        : new String(utf8.bytes(), utf8.start(), utf8.length(), StandardCharsets.UTF_8);
  }

  private static End end(Tuple tuple) {
    List<Integer> children = new ArrayList<>();
    Tuple numbers = tuple.getTuple(0);
    for (int i = 0; i < numbers.size(); i++) {
      children.add(numbers.getInt(i));
    }
    return new End(children, Token.decode(tuple.getTuple(1)));
  }
}
