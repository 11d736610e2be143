package dev.tidemark.pulse.internal.kv.stream;

import dev.tidemark.kv.Database;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.internal.kv.rows.StoredEvent;
import dev.tidemark.pulse.internal.kv.rows.StreamHead;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Says when events were added.
 *
 * <p>The time of a version is a round trip to some stores. Versions grow by about a million a
 * second, so the times of the first and the last event of a batch mostly tell those between them.
 * Where time went otherwise, as it does when a cluster recovers, more versions are asked for, until
 * what lies between two of them is known well enough. A time that is not asked for is rather too
 * early than too late: who starts at the time of an event must get that event.
 */
public final class EventTimes {
  /** Between two versions time may differ from its usual pace by so much, in microseconds. */
  private static final long DEVIATION_MAX = 10_000;

  /** Or by one part in so many of what lies between them: clocks drift. */
  private static final long DRIFT_PARTS = 10_000;

  private final Database database;
  private final String stream;

  EventTimes(Database database, String stream) {
    this.database = database;
    this.stream = stream;
  }

  /** The events of {@code found}, in its order. Not for use within a transaction. */
  List<Event> date(List<StoredEvent> found) {
    if (found.isEmpty()) {
      return List.of();
    }
    long[] versions =
        found.stream().mapToLong(each -> each.id().major()).sorted().distinct().toArray();
    NavigableMap<Long, Long> micros = new TreeMap<>();
    ask(micros, versions[0]);
    ask(micros, versions[versions.length - 1]);
    fill(micros, versions, 0, versions.length - 1);
    return events(found, micros);
  }

  /** Events of one version, mostly many, are next to each other and share a time. */
  private List<Event> events(List<StoredEvent> found, NavigableMap<Long, Long> micros) {
    List<Event> events = new ArrayList<>(found.size());
    long version = -1;
    Instant time = Instant.EPOCH;
    for (StoredEvent each : found) {
      if (each.id().major() != version) {
        version = each.id().major();
        time = instant(micros.getOrDefault(version, 0L));
      }
      events.add(each.of(stream, time));
    }
    return List.copyOf(events);
  }

  private long ask(NavigableMap<Long, Long> micros, long version) {
    return micros.computeIfAbsent(version, asked -> StreamHead.micros(database.timeOf(asked)));
  }

  /** Finds the times between two places of {@code versions} whose times are known. */
  private void fill(NavigableMap<Long, Long> micros, long[] versions, int from, int to) {
    if (to - from < 2) {
      return;
    }
    long begin = ask(micros, versions[from]);
    long passed = ask(micros, versions[to]) - begin;
    long advance = versions[to] - versions[from];
    long deviation = DEVIATION_MAX + advance / DRIFT_PARTS;
    if (Math.abs(passed - advance) <= deviation) {
      long early = passed == advance ? 0 : deviation;
      for (int i = from + 1; i < to; i++) {
        micros.put(versions[i], begin + Math.max(0, versions[i] - versions[from] - early));
      }
    } else {
      int middle = (from + to) >>> 1;
      ask(micros, versions[middle]);
      fill(micros, versions, from, middle);
      fill(micros, versions, middle, to);
    }
  }

  private static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).truncatedTo(ChronoUnit.MILLIS);
  }
}
