package dev.tidemark.remote.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Scan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one scan as they come in. The server sends them in parts, and each is gone through
 * while the next ones are on their way. From the second request on, the next one is made before the
 * rows of the last have been gone through: a scan that stops early costs nothing, and a long one
 * waits for no round trip. For one thread at a time.
 */
final class RowStream {
  /** How much more is asked for with every request. */
  private static final int GROWTH = 4;

  /** The most that one request asks for, which bounds what waits here to be gone through. */
  private static final int REQUEST_BYTES_MAX = 1 << 20;

  private final RemoteReads reads;

  /** What has not been gone through. */
  private Portion rest;

  private int requestBytes;
  private boolean goesOn;
  private Call call;

  /** The request after {@code call}, where it has been made. */
  private @Nullable Call ahead;

  private PackedRows.Reader part = PackedRows.NONE;
  private boolean lastPart;
  private boolean more = true;

  /** Rows from {@code begin} (included) to {@code end} (excluded), at most {@code rows}. */
  record Portion(Key begin, Key end, int rows, boolean reverse) {
    /** What is left after {@code count} rows, of which {@code last} was the last one. */
    Portion after(Key last, int count) {
      return reverse
          ? new Portion(begin, last, rows - count, true)
          : new Portion(last.next(), end, rows - count, false);
    }
  }

  /** Asks for {@code wanted}, and about {@code bytes} of it at first. */
  RowStream(RemoteReads reads, Portion wanted, int bytes) {
    this.reads = reads;
    this.rest = wanted;
    this.requestBytes = Math.min(bytes, REQUEST_BYTES_MAX);
    this.call = reads.ask(wanted, requestBytes);
  }

  /** Whether {@code wanted} is what comes next. */
  boolean goesOnWith(Portion wanted) {
    return rest.equals(wanted);
  }

  /** The next rows, about {@code bytes} of them; waits for some, but not for all of them. */
  Scan.Portion take(int bytes) {
    List<KeyValue> rows = new ArrayList<>();
    long size = 0;
    while (rows.isEmpty() || (size < bytes && rows.size() < rest.rows())) {
      if (part.hasNext()) {
        KeyValue row = part.next();
        rows.add(row);
        size += row.key().size() + row.value().length;
      } else if (lastPart && !more) {
        return new Scan.Portion(rows, false);
      } else if (rows.isEmpty() || (!lastPart && call.hasRows())) {
        nextPart(rows);
      } else {
        break;
      }
    }
    rest = rest.after(rows.getLast().key(), rows.size());
    goesOn = true;
    return new Scan.Portion(rows, true);
  }

  /** Goes to the next part; {@code before} it, these were taken of the rest. */
  private void nextPart(List<KeyValue> before) {
    if (lastPart) {
      call = ahead == null ? askFor(rest) : ahead;
      ahead = null;
    }
    Answer.Rows rows = reads.awaitRows(call);
    part = rows.packed();
    lastPart = !rows.unfinished();
    more = rows.more();
    if (goesOn && lastPart && more) {
      PackedRows.Last last = part.last();
      int count = before.size() + last.count();
      if (count < rest.rows()) {
        ahead = askFor(rest.after(last.key(), count));
      }
    }
  }

  private Call askFor(Portion portion) {
    requestBytes = Math.min(GROWTH * requestBytes, REQUEST_BYTES_MAX);
    return reads.ask(portion, requestBytes);
  }
}
