package dev.tidemark.partitions.internal.log;

import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a partition's log.
 *
 * @param micros when it was made, by the owner's clock
 * @param answered the request and its answer, so that a repetition is answered and not executed;
 *     absent for a request without id
 * @param entry what the actor replays; absent for a request that had effects only
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record LogRecord(long micros, Optional<Answered> answered, byte @Nullable [] entry) {
  private static final byte FORMAT = 1;
  private static final int CHECKSUM_AT = 1;
  private static final int BODY_AT = 5;
  private static final int HAS_ENTRY = 1;
  private static final int HAS_ANSWER = 2;

  /**
   * A request and its answer.
   *
   * @param id the request
   * @param answer the bytes of the answer
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Answered(RequestId id, byte[] answer) {}

  /** A format byte, a checksum of what follows, then the fields. */
  public byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(size());
    out.put(FORMAT).putInt(0);
    out.put((byte) ((entry != null ? HAS_ENTRY : 0) | (answered.isPresent() ? HAS_ANSWER : 0)));
    out.putLong(micros);
    if (answered.isPresent()) {
      RequestId id = answered.get().id();
      out.put((byte) id.client().size()).put(id.client().unsafeBytes());
      out.putLong(id.sequence()).putLong(id.settledBelow());
      out.putInt(answered.get().answer().length).put(answered.get().answer());
    }
    if (entry != null) {
      out.put(entry);
    }
    out.putInt(CHECKSUM_AT, checksum(out.array()));
    return out.array();
  }

  private int size() {
    int head = BODY_AT + 1 + Long.BYTES;
    int answer =
        answered
            .map(a -> 1 + a.id().client().size() + 2 * Long.BYTES + 4 + a.answer().length)
            .orElse(0);
    return head + answer + (entry == null ? 0 : entry.length);
  }

  private static int checksum(byte[] record) {
    CRC32C sum = new CRC32C();
    sum.update(record, BODY_AT, record.length - BODY_AT);
    return (int) sum.getValue();
  }

  /** The record with these bytes, which are those of entry {@code lsn} of {@code partition}. */
  public static LogRecord decode(String partition, long lsn, byte[] bytes) {
    if (bytes.length < BODY_AT + 1 + Long.BYTES) {
      throw corrupt(partition, lsn, "has only " + bytes.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    byte format = in.get();
    if (format != FORMAT) {
      throw corrupt(partition, lsn, "has format " + format + " instead of " + FORMAT);
    }
    if (in.getInt() != checksum(bytes)) {
      throw corrupt(partition, lsn, "does not have the checksum that it was written with");
    }
    byte flags = in.get();
    long micros = in.getLong();
    Optional<Answered> answered =
        (flags & HAS_ANSWER) == 0 ? Optional.empty() : Optional.of(answered(in));
    return new LogRecord(micros, answered, (flags & HAS_ENTRY) == 0 ? null : rest(in));
  }

  private static Answered answered(ByteBuffer in) {
    byte[] client = new byte[in.get()];
    in.get(client);
    RequestId id = new RequestId(Key.wrap(client), in.getLong(), in.getLong());
    byte[] answer = new byte[in.getInt()];
    in.get(answer);
    return new Answered(id, answer);
  }

  private static byte[] rest(ByteBuffer in) {
    byte[] rest = new byte[in.remaining()];
    in.get(rest);
    return rest;
  }

  private static PartitionException corrupt(String partition, long lsn, String what) {
    return new PartitionException(
        Reason.CORRUPT, "Entry %,d of the log of %s %s".formatted(lsn, partition, what));
  }
}
