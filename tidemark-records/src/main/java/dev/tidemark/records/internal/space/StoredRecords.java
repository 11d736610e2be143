package dev.tidemark.records.internal.space;

import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.records.RecordTooLargeException;
import dev.tidemark.records.RefusedRecordException;
import dev.tidemark.records.codec.RecordReader;
import dev.tidemark.records.codec.RecordWriter;
import dev.tidemark.records.internal.format.RecordBytes;
import dev.tidemark.records.internal.format.UnknownFields;
import dev.tidemark.records.internal.format.Unwritable;
import dev.tidemark.records.internal.keys.StoreKeys.RecordKey;
import dev.tidemark.records.schema.RecordType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and writes the records of one type, in one value or in pieces. */
public final class StoredRecords<R> {
  /** The number of pieces and the length of all of them. */
  private static final int PIECES_BYTES = 2 * Integer.BYTES;

  private final Space space;
  private final RecordType<R> type;

  public StoredRecords(Space space, RecordType<R> type) {
    this.space = space;
    this.type = type;
  }

  /**
   * A record that was read.
   *
   * @param record the record
   * @param bytes its bytes in wire format, from {@code start} on
   * @param start where they begin
   * @param hasUnknownFields whether it has fields that the schema does not have
   * @param inPieces whether it is stored in pieces
   * @param encryptedAsNow whether it has the encryption of new records
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  public record Found<R>(
      R record,
      byte[] bytes,
      int start,
      boolean hasUnknownFields,
      boolean inPieces,
      boolean encryptedAsNow) {
    /** Whether a write of {@code encoded} would change nothing. */
    public boolean isStoredAs(byte[] encoded) {
      return encryptedAsNow
          && Arrays.equals(bytes, start, bytes.length, encoded, 0, encoded.length);
    }

    byte[] encoded() {
      return Arrays.copyOfRange(bytes, start, bytes.length);
    }
  }

  public @Nullable Found<R> read(ReadTransaction tx, RecordKey key, Tuple primaryKey) {
    byte[] main = tx.get(key.main()).orElse(null);
    return main == null ? null : decode(tx, key, main, primaryKey);
  }

  /**
   * Decodes the record with the main value {@code main}; {@code tx} reads its pieces, if it has
   * any.
   */
  public Found<R> decode(ReadTransaction tx, RecordKey key, byte[] main, Tuple primaryKey) {
    boolean inPieces = isInPieces(main);
    byte[] whole = inPieces ? join(tx, key, main, primaryKey) : main;
    try {
      boolean plain = RecordBytes.isPlain(whole);
      byte[] bytes = plain ? whole : space.bytes().unpack(whole, key.main().unsafeBytes());
      int start = plain ? 1 : 0;
      RecordReader reader = new RecordReader(bytes, start, bytes.length - start);
      R record = type.codec().read(reader);
      return new Found<>(
          record,
          bytes,
          start,
          reader.skippedAny(),
          inPieces,
          space.bytes().isEncryptedAsNow(whole));
    } catch (RuntimeException failure) {
      throw unreadable(type, primaryKey, failure);
    }
  }

  static DamagedRecordException unreadable(
      RecordType<?> type, Tuple primaryKey, RuntimeException failure) {
    String what = "The %s %s".formatted(type.name(), primaryKey);
    return failure instanceof DamagedRecordException
        ? unreadable(what, failure)
        : new RefusedRecordException(
            "%s cannot be read. %s, save another over it, or delete it: a delete does not need the class"
                .formatted(what, reason(failure)),
            primaryKey,
            failure);
  }

  static DamagedRecordException unreadable(String what, RuntimeException failure) {
    return new DamagedRecordException(
        "%s cannot be read. %s".formatted(what, reason(failure)), failure);
  }

  private static @Nullable String reason(RuntimeException failure) {
    return failure instanceof DamagedRecordException
        ? failure.getMessage()
        : "Its class refuses what is stored: %s. A constructor runs for stored records too; let it take them"
            .formatted(failure);
  }

  /** The wire format of the record with the main value {@code main}. */
  byte[] wire(ReadTransaction tx, RecordKey key, byte[] main, Tuple primaryKey) {
    byte[] whole = isInPieces(main) ? join(tx, key, main, primaryKey) : main;
    try {
      return space.bytes().unpack(whole, key.main().unsafeBytes());
    } catch (DamagedRecordException damage) {
      throw unreadable(type, primaryKey, damage);
    }
  }

  private static boolean isInPieces(byte[] main) {
    return main.length > 0 && (main[0] & RecordBytes.PIECES) != 0;
  }

  private byte[] join(ReadTransaction tx, RecordKey key, byte[] main, Tuple primaryKey) {
    ByteBuffer in = ByteBuffer.wrap(main);
    int flags = in.get();
    int pieces = in.remaining() == PIECES_BYTES ? in.getInt() : 0;
    if (pieces < 1) {
      throw new DamagedRecordException(
          "The %s %s is kept in pieces but does not say in how many"
              .formatted(type.name(), primaryKey));
    }
    int length = in.getInt();
    List<KeyValue> rows = tx.scan(KeyRange.of(key.piece(1), key.piece(pieces).next())).list();
    long found = rows.stream().mapToLong(row -> row.value().length).sum();
    if (rows.size() != pieces || found != length) {
      throw new DamagedRecordException(
          "The %s %s should have %,d pieces of %,d bytes together; there are %,d of %,d"
              .formatted(type.name(), primaryKey, pieces, length, rows.size(), found));
    }
    byte[] whole = new byte[1 + length];
    whole[0] = (byte) (flags & ~RecordBytes.PIECES);
    int at = 1;
    for (KeyValue row : rows) {
      byte[] value = row.value();
      System.arraycopy(value, 0, whole, at, value.length);
      at += value.length;
    }
    return whole;
  }

  /**
   * The wire format of {@code record}, with the fields of {@code before} that the schema does not
   * have.
   */
  public byte[] encode(R record, @Nullable Found<R> before) {
    RecordWriter writer = new RecordWriter();
    try {
      type.codec().write(record, writer);
    } catch (NullPointerException | IllegalArgumentException failure) {
      throw Unwritable.explain(type, record, failure);
    }
    byte[] encoded = writer.toByteArray();
    return before == null || !before.hasUnknownFields()
        ? encoded
        : UnknownFields.carryOver(type.spec().fields(), before.encoded(), encoded);
  }

  public void checkSize(RecordKey key, byte[] encoded, Tuple primaryKey) {
    int keyLimit = space.database().limits().keyBytes();
    int keySize = key.sizeMax();
    if (keySize > keyLimit) {
      throw new RecordTooLargeException(
          "The %s %s would have a key of %,d bytes; the limit is %,d. Choose a shorter primary key"
              .formatted(type.name(), primaryKey, keySize, keyLimit),
          keySize,
          keyLimit);
    }
    int limit = space.options().recordBytesMax();
    if (encoded.length > limit) {
      throw new RecordTooLargeException(
          "The %s %s has %,d bytes; the limit is %,d. Save less in it, or raise StoreOptions.recordBytesMax"
              .formatted(type.name(), primaryKey, encoded.length, limit),
          encoded.length,
          limit);
    }
  }

  public void write(Transaction tx, RecordKey key, byte[] encoded, @Nullable Found<R> before) {
    byte[] stored = space.bytes().pack(encoded, key.main().unsafeBytes());
    int limit = space.database().limits().valueBytes();
    if (before != null && before.inPieces()) {
      tx.clear(KeyRange.of(key.piece(1), key.all().end()));
    }
    if (stored.length <= limit) {
      tx.set(key.main(), stored);
      return;
    }
    int length = stored.length - 1;
    int pieces = (length + limit - 1) / limit;
    tx.set(
        key.main(),
        ByteBuffer.allocate(1 + PIECES_BYTES)
            .put((byte) (stored[0] | RecordBytes.PIECES))
            .putInt(pieces)
            .putInt(length)
            .array());
    for (int i = 0; i < pieces; i++) {
      int from = 1 + i * limit;
      tx.set(
          key.piece(i + 1),
          Arrays.copyOfRange(stored, from, Math.min(from + limit, stored.length)));
    }
  }
}
