package dev.tidemark.pulse.internal.kv.stream;

import dev.tidemark.pulse.EventId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What an instance remembers of its own claims, to tell when all events of one may be acknowledged:
 * a hint that saves reads, never a decision. Claims that others may have taken over are forgotten.
 * Safe for use by many threads.
 */
final class OpenClaims {
  // Guarded by this.
  private final TreeMap<EventId, Open> open = new TreeMap<>();
  private final List<EventId> done = new ArrayList<>();

  private record Open(Set<EventId> left, long untilNanos) {}

  /** Remembers the claim in the row of {@code end} until {@code untilNanos}. */
  synchronized void add(EventId end, Collection<EventId> ids, long untilNanos) {
    open.put(end, new Open(new HashSet<>(ids), untilNanos));
  }

  /**
   * Notes that of the claim in the row of {@code end} these parts are left, each in its own row.
   */
  synchronized void split(EventId end, Map<EventId, List<EventId>> parts) {
    Open whole = open.remove(end);
    if (whole != null) {
      parts.forEach((last, ids) -> add(last, ids, whole.untilNanos()));
    }
  }

  /** Remembers the claims in the rows of {@code ends} until {@code untilNanos}. */
  synchronized void extend(Collection<EventId> ends, long untilNanos) {
    ends.forEach(end -> open.computeIfPresent(end, (key, old) -> new Open(old.left(), untilNanos)));
  }

  /** Whether the last events of the claim in the row of {@code end} could be among these. */
  synchronized boolean couldFinish(EventId end, Set<EventId> ids) {
    Open claim = open.get(end);
    return claim == null || ids.containsAll(claim.left());
  }

  /**
   * Notes that {@code ids} are acknowledged, or will be when a transaction commits. A claim of
   * which all are is given by {@link #takeDone}.
   */
  synchronized void acknowledged(Collection<EventId> ids) {
    for (EventId id : ids) {
      Map.Entry<EventId, Open> entry = open.ceilingEntry(id);
      if (entry != null && entry.getValue().left().remove(id)) {
        if (entry.getValue().left().isEmpty()) {
          open.remove(entry.getKey());
          done.add(entry.getKey());
        }
      }
    }
  }

  /** The claims that may be done since the last call, by their rows. */
  synchronized List<EventId> takeDone() {
    List<EventId> taken = List.copyOf(done);
    done.clear();
    return taken;
  }

  /** Forgets claims whose time was over at {@code nowNanos}. */
  synchronized void forgetExpired(long nowNanos) {
    open.values().removeIf(claim -> claim.untilNanos() - nowNanos < 0);
  }
}
