package dev.tidemark.remote.internal.client;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.spi.scan.ScanPortion;
import dev.tidemark.remote.internal.transport.PackedRows;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one scan as they come in. The server sends them in parts; the program goes through
 * one while the next ones are on their way. From the second request on, the next one is sent before
 * the rows of the last are used up: a scan that stops early costs nothing, and a long one does not
 * wait for round trips. For one thread at a time.
 */
public final class RowStream {
  /** The factor by which each request asks for more than the one before. */
  private static final int GROWTH = 4;

  /** The most that one request asks for, which bounds the rows that wait here. */
  private static final int REQUEST_BYTES_MAX = 1 << 20;

  /** For a shorter scan the lookup of known rows does not pay. */
  private static final int KNOWN_ROWS_MIN = 32;

  private final RemoteReads reads;
  private final KnownRows known;

  /** The rows that were not taken yet. */
  private Portion rest;

  private int requestBytes;
  private boolean goesOn;
  private Asked asked;

  /** The request after this one, if it was sent already. */
  private @Nullable Asked ahead;

  private PackedRows.Reader part = PackedRows.NONE;

  /** Known parts that the server need not send; they come before other rows. */
  private final ArrayDeque<PackedRows.Reader> kept = new ArrayDeque<>();

  private boolean lastPart;

  /** The rest that neither came nor is known. */
  private Portion next;

  /** Rows from {@code begin} (included) to {@code end} (excluded), at most {@code rows}. */
  public record Portion(Key begin, Key end, int rows, boolean reverse) {
    /** The rest after {@code count} rows, the last of which is {@code last}. */
    Portion after(Key last, int count) {
      return reverse
          ? new Portion(begin, last, rows - count, true)
          : new Portion(last.next(), end, rows - count, false);
    }

    /** What is left after {@code count} rows, where it begins at {@code from}. */
    Portion from(Key from, int count) {
      return new Portion(from, end, Math.max(0, rows - count), reverse);
    }

    boolean isEmpty() {
      return rows == 0 || begin.compareTo(end) >= 0;
    }

    /** Whether caching and looking up its rows pays. */
    boolean isKnowable() {
      return !reverse && rows >= KNOWN_ROWS_MIN;
    }
  }

  /** A request, and the parts that it said are known. */
  private record Asked(Portion portion, Call call, List<KnownRows.Part> known) {}

  /** Asks for {@code wanted}, and about {@code bytes} of it at first. */
  RowStream(RemoteReads reads, KnownRows known, Portion wanted, int bytes) {
    this.reads = reads;
    this.known = known;
    this.rest = wanted;
    this.next = wanted;
    this.requestBytes = Math.min(bytes, REQUEST_BYTES_MAX);
    this.asked = ask(wanted);
  }

  private Asked ask(Portion portion) {
    List<KnownRows.Part> found =
        portion.isKnowable()
            ? known.find(portion.begin(), portion.end(), portion.rows())
            : List.of();
    Portion wanted = portion;
    if (portion.isKnowable() && found.isEmpty()) {
      Key end = known.gapEnd(portion.begin(), portion.end());
      wanted = new Portion(portion.begin(), end, portion.rows(), false);
    }
    return new Asked(wanted, reads.ask(wanted, requestBytes, found), found);
  }

  private Asked askForMore() {
    requestBytes = Math.min(GROWTH * requestBytes, REQUEST_BYTES_MAX);
    return ask(next);
  }

  /** Whether {@code wanted} is what comes next. */
  boolean goesOnWith(Portion wanted) {
    return rest.equals(wanted);
  }

  /**
   * The next rows, about {@code bytes} of them; waits until there are some, not for all of them.
   */
  ScanPortion take(int bytes) {
    List<KeyValue> rows = new ArrayList<>();
    long size = 0;
    while (rows.isEmpty() || (size < bytes && rows.size() < rest.rows())) {
      if (part.hasNext()) {
        KeyValue row = part.next();
        rows.add(row);
        size += row.key().size() + row.value().length;
      } else if (!kept.isEmpty()) {
        part = kept.remove();
      } else if (lastPart && next.isEmpty()) {
        return new ScanPortion(rows, false);
      } else if (rows.isEmpty() || (!lastPart && asked.call().hasRows())) {
        receive();
      } else {
        break;
      }
    }
    rest = rest.after(rows.getLast().key(), rows.size());
    goesOn = true;
    return new ScanPortion(rows, true);
  }

  /** Waits for the next part. */
  private void receive() {
    if (lastPart) {
      asked = ahead == null ? askForMore() : ahead;
      ahead = null;
    }
    ReceivedReply.Rows rows = reads.awaitRows(asked.call());
    lastPart = !rows.unfinished();
    if (rows.unchanged() > 0) {
      useKnown(Math.min(rows.unchanged(), asked.known().size()));
    } else {
      asked.known().stream().findFirst().ifPresent(known::forget);
      useNew(rows);
    }
    if (goesOn && lastPart && !next.isEmpty()) {
      ahead = askForMore();
    }
  }

  private void useKnown(int parts) {
    for (KnownRows.Part same : asked.known().subList(0, parts)) {
      PackedRows.Reader rows = same.rows().copyOf();
      boolean whole = next.begin().equals(same.begin());
      int count = whole ? same.count() : rows.goTo(next.begin(), same.count());
      if (whole) {
        known.confirmed(same, reads.knownVersion());
      }
      kept.add(rows);
      next = next.from(same.end(), count);
    }
    if (parts < asked.known().size()) {
      known.forget(asked.known().get(parts));
    }
  }

  private void useNew(ReceivedReply.Rows rows) {
    part = rows.packed();
    boolean all = lastPart && !rows.more();
    PackedRows.Last last = all && !part.hasNext() ? null : part.last();
    int count = last == null ? 0 : last.count();
    Key end = asked.portion().end();
    Key to = last == null || all ? end : last.key().next();
    // Also for a part without rows: a gap would cost every later scan a request.
    if (asked.portion().isKnowable() && reads.knownVersion() != 0) {
      known.add(next.begin(), to, reads.knownVersion(), count, part);
    }
    next = last == null ? next : next.after(last.key(), count);
    if (all) {
      next = next.from(next.reverse() ? next.end() : end, 0);
    }
  }
}
