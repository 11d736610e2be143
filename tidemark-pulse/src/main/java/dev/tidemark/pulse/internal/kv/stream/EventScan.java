package dev.tidemark.pulse.internal.kv.stream;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.internal.kv.rows.EventFormat;
import dev.tidemark.pulse.internal.kv.rows.StoredEvent;
import dev.tidemark.pulse.internal.kv.rows.StreamHead;
import dev.tidemark.pulse.internal.kv.rows.StreamSpace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the events that a stream shows.
 *
 * <p>The oldest stored ones beyond the maximum length are not shown, whether they have been trimmed
 * already or not. To know where the shown ones begin costs a walk over those that have not, so that
 * is done only if it matters: with no more than the maximum between the position and the end of the
 * stream, all of those are shown. Where so many are left that the walk would be long, as after the
 * maximum was lowered, the reader trims first ({@link FarBehind}). Reads begin behind what has been
 * trimmed, so that nobody walks through what is gone.
 */
final class EventScan {
  /** A batch ends after so many bytes, with at least one event. */
  private static final int BATCH_BYTES_MAX = 2_000_000;

  /** More events that are not shown than this are trimmed rather than walked through. */
  private static final int WALK_MAX = 4_000;

  /** More events wait to be trimmed than a reader walks through: trim them and read again. */
  static final class FarBehind extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private FarBehind() {
      super("Very many events wait to be trimmed", null, false, false);
    }
  }

  private final String stream;
  private final StreamSpace space;

  EventScan(String stream, StreamSpace space) {
    this.stream = stream;
    this.space = space;
  }

  /**
   * Events behind a position.
   *
   * @param events those that are shown, in order
   * @param overtaken whether there were others between the position and the first of them, which
   *     are no longer shown
   */
  record Next(List<StoredEvent> events, boolean overtaken) {}

  /**
   * Up to {@code max} shown events behind {@code position}. Reads without conflicts.
   *
   * @param walks whether it walks through what waits to be trimmed, however much that is
   * @throws FarBehind if it is much, and it does not
   */
  Next after(ReadTransaction tx, StreamHead head, EventId position, int max, boolean walks) {
    ReadTransaction reads = tx.snapshot();
    boolean overtaken = position.compareTo(head.trimmed()) < 0;
    EventId from = overtaken ? head.trimmed() : position;
    List<KeyValue> rows = rows(reads, KeySelector.firstGreaterThan(space.event(from)), max);
    if (head.hidden() > 0 && !rows.isEmpty()) {
      boolean atTheEnd = rows.size() < max && reachesEnd(reads, rows);
      if (!atTheEnd || rows.size() > head.lengthMax()) {
        checkNear(head, walks);
        Key first = firstShown(reads, head);
        if (rows.getFirst().key().compareTo(first) < 0) {
          rows = rows(reads, KeySelector.firstGreaterOrEqual(first), max);
          overtaken = true;
        }
      }
    }
    return new Next(decode(rows), overtaken);
  }

  private static void checkNear(StreamHead head, boolean walks) {
    if (!walks && head.hidden() > WALK_MAX) {
      throw new FarBehind();
    }
  }

  private boolean reachesEnd(ReadTransaction reads, List<KeyValue> rows) {
    Key behind = rows.getLast().key().next();
    return reads.scan(KeyRange.of(behind, space.events().end())).limit(1).first().isEmpty();
  }

  /** A key before which no event is stored. */
  Key oldest(StreamHead head) {
    return head.trimmed().equals(EventId.ZERO)
        ? space.events().begin()
        : space.event(head.trimmed()).next();
  }

  /** The key of the oldest event that is shown, or of where one would be. */
  Key firstShown(ReadTransaction reads, StreamHead head) {
    Key begin = oldest(head);
    return head.hidden() == 0
        ? begin
        : reads.getKey(KeySelector.firstGreaterOrEqual(begin).add(Math.toIntExact(head.hidden())));
  }

  private List<KeyValue> rows(ReadTransaction reads, KeySelector from, int max) {
    List<KeyValue> rows = new ArrayList<>();
    long bytes = 0;
    KeySelector end = KeySelector.firstGreaterOrEqual(space.events().end());
    for (KeyValue row : reads.scan(from, end).limit(max)) {
      bytes += row.value().length;
      if (bytes > BATCH_BYTES_MAX && !rows.isEmpty()) {
        break;
      }
      rows.add(row);
    }
    return rows;
  }

  private List<StoredEvent> decode(List<KeyValue> rows) {
    return rows.stream()
        .map(row -> EventFormat.decode(stream, space.eventId(row.key()), row.value(), 1))
        .toList();
  }

  /**
   * Those of {@code ids} that are shown, delivered {@code deliveries} times, in order.
   *
   * @throws FarBehind if very many events wait to be trimmed, and it does not walk through them
   */
  List<StoredEvent> shown(
      ReadTransaction tx, StreamHead head, Collection<EventId> ids, int deliveries, boolean walks) {
    checkNear(head, walks);
    Map<Key, EventId> keys = new LinkedHashMap<>();
    ids.forEach(id -> keys.put(space.event(id), id));
    ReadTransaction reads = tx.snapshot();
    Key first = firstShown(reads, head);
    List<StoredEvent> events = new ArrayList<>(ids.size());
    reads
        .getAll(keys.keySet())
        .forEach(
            (key, value) -> {
              if (key.compareTo(first) >= 0) {
                events.add(EventFormat.decode(stream, space.eventId(key), value, deliveries));
              }
            });
    return events;
  }

  /** The event behind {@code position} that carries {@code tag}; where it is, if it is there. */
  Optional<EventId> tagged(ReadTransaction tx, EventId position, byte[] tag) {
    KeySelector from = KeySelector.firstGreaterThan(space.event(position));
    KeySelector end = KeySelector.firstGreaterOrEqual(space.events().end());
    for (KeyValue row : tx.scan(from, end)) {
      if (EventFormat.hasTag(row.value(), tag)) {
        return Optional.of(space.eventId(row.key()));
      }
    }
    return Optional.empty();
  }
}
