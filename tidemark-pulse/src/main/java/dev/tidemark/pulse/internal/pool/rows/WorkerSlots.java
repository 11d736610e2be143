package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.kv.tuple.Tuple;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a pool in their slots, which keys are spread over.
 *
 * <p>Jump hash moves few keys when a bucket comes or goes at the end, and nearly all when one goes
 * at the beginning. So a worker keeps its slot for life, and one that goes from the middle leaves a
 * hole: its keys, and only those, are hashed again until they meet a worker. A new worker fills the
 * first hole and gets exactly the keys that belong there. Replacing a worker moves its share out
 * and back, and nothing else.
 */
public record WorkerSlots(List<@Nullable String> slots) {
  public static final WorkerSlots EMPTY = new WorkerSlots(List.of());

  /** How many workers a pool may have; the slots are one row. */
  static final int SLOTS_MAX = 1_000;

  /** A key that meets a hole so often goes to the first worker. */
  private static final int ATTEMPTS_MAX = 256;

  /** Holes at the end are none. */
  public WorkerSlots {
    int size = slots.size();
    while (size > 0 && slots.get(size - 1) == null) {
      size--;
    }
    slots = Collections.unmodifiableList(new ArrayList<>(slots.subList(0, size)));
  }

  static WorkerSlots decode(Optional<byte[]> row) {
    if (row.isEmpty()) {
      return EMPTY;
    }
    Tuple stored = Tuple.unpack(row.get());
    List<@Nullable String> slots = new ArrayList<>(stored.size());
    for (int i = 0; i < stored.size(); i++) {
      slots.add(stored.isNull(i) ? null : stored.getString(i));
    }
    return new WorkerSlots(slots);
  }

  byte[] encode() {
    return Tuple.copyOf(slots).pack();
  }

  boolean isEmpty() {
    return slots.isEmpty();
  }

  public boolean contains(String worker) {
    return slots.contains(worker);
  }

  /** The worker that {@code key} belongs to; empty if there is none at all. */
  public Optional<String> route(String key) {
    if (slots.isEmpty()) {
      return Optional.empty();
    }
    long hash = JumpHash.hash(KeyMessages.keyOf(key));
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      String worker = slots.get(JumpHash.bucket(hash, slots.size()));
      if (worker != null) {
        return Optional.of(worker);
      }
      hash = JumpHash.rehash(hash);
    }
    return workers().stream().findFirst();
  }

  /** These slots with {@code worker} in the first free slot. */
  WorkerSlots with(String worker) {
    List<@Nullable String> changed = new ArrayList<>(slots);
    int hole = changed.indexOf(null);
    if (hole < 0) {
      changed.add(worker);
    } else {
      changed.set(hole, worker);
    }
    return new WorkerSlots(changed);
  }

  /** These slots without {@code worker}. */
  WorkerSlots without(String worker) {
    List<@Nullable String> changed = new ArrayList<>(slots);
    changed.replaceAll(slot -> worker.equals(slot) ? null : slot);
    return new WorkerSlots(changed);
  }

  /** The workers in the order of their slots. */
  public List<String> workers() {
    List<String> workers = new ArrayList<>();
    for (String slot : slots) {
      if (slot != null) {
        workers.add(slot);
      }
    }
    return workers;
  }
}
