package dev.tidemark.pulse.internal.kv.stream;

import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.internal.kv.rows.SortedIds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an instance remembers of its own claims, to know when one may be done: a hint that saves
 * reads, never a decision. It forgets claims that others may have taken over. Safe for use by many
 * threads.
 */
final class OpenClaims {
  // Guarded by this.
  private final TreeMap<EventId, Open> open = new TreeMap<>();
  private final List<EventId> done = new ArrayList<>();

  private static final class Open {
    private final List<EventId> ids;
    private final long untilNanos;

    /** Those that are not acknowledged; null while that is all of them, as it mostly is. */
    private @Nullable Set<EventId> left;

    Open(List<EventId> ids, @Nullable Set<EventId> left, long untilNanos) {
      this.ids = ids;
      this.left = left;
      this.untilNanos = untilNanos;
    }

    Collection<EventId> left() {
      return left == null ? ids : left;
    }

    /**
     * Notes that those of {@code acked} from {@code from} to {@code end} are; whether all are now.
     */
    boolean isDoneWith(SortedIds acked, EventId from, EventId end) {
      if (left == null && acked.among(ids).size() == ids.size()) {
        return true;
      }
      Set<EventId> open = left == null ? new HashSet<>(ids) : left;
      acked.between(from, end).forEach(open::remove);
      left = open;
      return open.isEmpty();
    }
  }

  /** Remembers the claim in the row of {@code end} until {@code untilNanos}. */
  synchronized void add(EventId end, Collection<EventId> ids, long untilNanos) {
    open.put(end, new Open(List.copyOf(ids), null, untilNanos));
  }

  /**
   * Notes that of the claim in the row of {@code end} these parts are left, each in its own row.
   */
  synchronized void split(EventId end, Map<EventId, List<EventId>> parts) {
    Open whole = open.remove(end);
    if (whole != null) {
      parts.forEach((last, ids) -> add(last, ids, whole.untilNanos));
    }
  }

  /** Remembers the claims in the rows of {@code ends} until {@code untilNanos}. */
  synchronized void extend(Collection<EventId> ends, long untilNanos) {
    ends.forEach(
        end -> open.computeIfPresent(end, (key, old) -> new Open(old.ids, old.left, untilNanos)));
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
  synchronized void acknowledged(SortedIds ids) {
    EventId next = ids.first();
    while (next != null) {
      Map.Entry<EventId, Open> claim = open.ceilingEntry(next);
      if (claim == null) {
        return;
      }
      if (claim.getValue().isDoneWith(ids, next, claim.getKey())) {
        open.remove(claim.getKey());
        done.add(claim.getKey());
      }
      next = ids.higher(claim.getKey());
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
    open.values().removeIf(claim -> claim.untilNanos - nowNanos < 0);
  }
}
