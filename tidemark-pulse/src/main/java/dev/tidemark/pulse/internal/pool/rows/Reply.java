package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.kv.tuple.Tuple;

/**
 * An answer to a client that waits for something.
 *
 * @param request which of its questions this answers
 * @param success whether it was done
 * @param text what the handler said if it was not
 * @param time when it was written, in milliseconds
 */
public record Reply(long request, boolean success, String text, long time) {
  byte[] encode() {
    return Tuple.of(request, success, text, time).pack();
  }

  public static Reply decode(byte[] bytes) {
    Tuple row = Tuple.unpack(bytes);
    return new Reply(row.getLong(0), row.getBoolean(1), row.getString(2), row.getLong(3));
  }
}
