package dev.tidemark.pulse.internal.kv.rows;

import dev.tidemark.pulse.EventId;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ids of events in order, each once. Consumers name events mostly as they got them, in order, so
 * that making this and comparing it with a claim is one walk over both.
 */
public final class SortedIds extends AbstractSet<EventId> {
  private final EventId[] ids;
  private final int size;

  private SortedIds(EventId[] ids, int size) {
    this.ids = ids;
    this.size = size;
  }

  /** The ids of {@code some}, which may be in any order and have one more than once. */
  public static SortedIds of(Collection<EventId> some) {
    EventId[] ids = some.toArray(EventId[]::new);
    if (isAscending(ids)) {
      return new SortedIds(ids, ids.length);
    }
    Arrays.sort(ids);
    int size = 0;
    for (EventId id : ids) {
      if (size == 0 || !ids[size - 1].equals(id)) {
        ids[size++] = id;
      }
    }
    return new SortedIds(ids, size);
  }

  private static boolean isAscending(EventId[] ids) {
    for (int i = 1; i < ids.length; i++) {
      if (ids[i - 1].compareTo(ids[i]) >= 0) {
        return false;
      }
    }
    return true;
  }

  /** The least id; null if there is none. */
  public @Nullable EventId first() {
    return size == 0 ? null : ids[0];
  }

  /** The least id behind {@code id}; null if there is none. */
  public @Nullable EventId higher(EventId id) {
    int place = placeOf(id);
    int next = place < 0 ? -place - 1 : place + 1;
    return next < size ? ids[next] : null;
  }

  /** The ids from {@code first} to {@code last}, both included. */
  public List<EventId> between(EventId first, EventId last) {
    int to = placeOf(last);
    return Arrays.asList(ids).subList(from(first), to < 0 ? -to - 1 : to + 1);
  }

  /** Those of {@code ordered}, which ascends, that are here. */
  public List<EventId> among(List<EventId> ordered) {
    List<EventId> found = new ArrayList<>(Math.min(size, ordered.size()));
    int at = ordered.isEmpty() ? size : from(ordered.getFirst());
    for (EventId id : ordered) {
      while (at < size && ids[at].compareTo(id) < 0) {
        at++;
      }
      if (at < size && ids[at].equals(id)) {
        found.add(id);
      }
    }
    return found;
  }

  /** Where the ids from {@code id} on begin. */
  private int from(EventId id) {
    int place = placeOf(id);
    return place < 0 ? -place - 1 : place;
  }

  private int placeOf(EventId id) {
    return Arrays.binarySearch(ids, 0, size, id);
  }

  @Override
  public boolean contains(@Nullable Object id) {
    return id instanceof EventId event && placeOf(event) >= 0;
  }

  @Override
  public Iterator<EventId> iterator() {
    return Arrays.asList(ids).subList(0, size).iterator();
  }

  @Override
  public int size() {
    return size;
  }
}
