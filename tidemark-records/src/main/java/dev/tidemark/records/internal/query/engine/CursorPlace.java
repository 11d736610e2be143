package dev.tidemark.records.internal.query.engine;

import dev.tidemark.kv.tuple.MalformedTupleException;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.query.Continuation;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/*
 * The bytes of a continuation: a version, then a tuple of the fields below in their order. They are described
 * in docs/formats/continuations.md and may come back after years, so they only ever get a new version.
 */

/**
 * The content of a continuation: where a cursor stopped.
 *
 * @param plan the fingerprint of the plan that was run
 * @param schemaVersion the version of the schema that the store had
 * @param query the fingerprint of the query: its type, values, limit and offset
 * @param offset the number of rows that are still to be skipped
 * @param limit the number of rows that may still come; negative for all
 * @param ended whether it is the end
 * @param position the place in the plan
 */
public record CursorPlace(
    long plan,
    int schemaVersion,
    long query,
    long offset,
    long limit,
    boolean ended,
    Tuple position) {
  private static final byte VERSION = 2;

  /** Without a checksum at the end. */
  private static final byte OLD_VERSION = 1;

  private static final int FIELDS = 7;

  /** The beginning of a query. */
  public static CursorPlace start(
      long plan, int schemaVersion, long query, long offset, long limit) {
    return new CursorPlace(plan, schemaVersion, query, offset, limit, false, Tuple.EMPTY);
  }

  public Continuation toContinuation() {
    Tuple fields =
        Tuple.of(plan, schemaVersion, query, offset, limit, ended, ended ? Tuple.EMPTY : position);
    byte[] packed = fields.pack();
    ByteBuffer bytes = ByteBuffer.allocate(1 + packed.length + Integer.BYTES);
    bytes.put(VERSION).put(packed).putInt(checksum(bytes.array(), 1 + packed.length));
    return Continuation.of(bytes.array());
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return (int) checksum.getValue();
  }

  /**
   * The place that {@code continuation} holds.
   *
   * @throws IllegalArgumentException if it holds none
   */
  static CursorPlace of(Continuation continuation) {
    byte[] bytes = continuation.toBytes();
    if (bytes.length == 0 || (bytes[0] != VERSION && bytes[0] != OLD_VERSION)) {
      throw damaged(
          bytes.length == 0
              ? "it is empty"
              : "its format is %d and this version knows %d".formatted(bytes[0], VERSION),
          null);
    }
    int end = bytes[0] == VERSION ? bytes.length - Integer.BYTES : bytes.length;
    if (bytes[0] == VERSION
        && (end < 1 || ByteBuffer.wrap(bytes).getInt(end) != checksum(bytes, end))) {
      throw damaged("its bytes were changed", null);
    }
    try {
      Tuple fields = Tuple.unpack(Arrays.copyOfRange(bytes, 1, end));
      if (fields.size() != FIELDS) {
        throw damaged("it has %d fields and not %d".formatted(fields.size(), FIELDS), null);
      }
      return new CursorPlace(
          fields.getLong(0),
          fields.getInt(1),
          fields.getLong(2),
          fields.getLong(3),
          fields.getLong(4),
          fields.getBoolean(5),
          fields.getTuple(6));
    } catch (MalformedTupleException | ClassCastException | ArithmeticException damage) {
      throw damaged("its bytes were changed", damage);
    }
  }

  private static IllegalArgumentException damaged(String why, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "This is no continuation: %s. Begin the query again".formatted(why), cause);
  }
}
