package dev.tidemark.pulse.internal.pool.worker;

import dev.tidemark.pulse.internal.pool.rows.JobClaim;
import dev.tidemark.pulse.internal.pool.rows.KeyMessages;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that a worker has, and what it has done with them. Small, because an idle job is no more
 * than its entry here.
 */
final class LocalJobs {
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();
  private final AtomicInteger queued = new AtomicInteger();

  /** Boxes of messages left out. */
  private final AtomicInteger running = new AtomicInteger();

  /** How far a job is. It goes forward only. */
  enum Stage {
    QUEUED,
    RUNNING,
    /** It no longer runs, and the store is still to be told. */
    ENDED
  }

  /** A job of the worker. Changed by {@link LocalJobs} only. */
  static final class Entry {
    private final JobClaim claim;
    private volatile Stage stage = Stage.QUEUED;

    /** The thread that runs it, if it ends by itself. Guarded by this. */
    private @Nullable Thread thread;

    /** Whether it is being stopped for good. */
    private volatile boolean stopping;

    private Entry(JobClaim claim) {
      this.claim = claim;
    }

    JobClaim claim() {
      return claim;
    }

    boolean isIn(Stage asked) {
      return stage == asked;
    }

    /** Says who runs it. With null nobody does: from then on no interrupt reaches the thread. */
    synchronized void runBy(@Nullable Thread runner) {
      thread = runner;
    }

    boolean isStopping() {
      return stopping;
    }

    /** Marks it as one to be forgotten when it ends, and interrupts it. */
    void stop() {
      stopping = true;
      interrupt();
    }

    /** Interrupts the thread that runs it; whether one does. */
    synchronized boolean interrupt() {
      if (thread == null) {
        return false;
      }
      thread.interrupt();
      return true;
    }
  }

  Optional<Entry> get(String key) {
    return Optional.ofNullable(entries.get(key));
  }

  /** Takes a job in; empty if it is there in this or a later epoch, or still runs in another. */
  Optional<Entry> add(JobClaim claim) {
    Entry added = new Entry(claim);
    Entry now =
        entries.merge(claim.key(), added, (old, fresh) -> replaces(old, fresh) ? fresh : old);
    if (now != added) {
      return Optional.empty();
    }
    queued.incrementAndGet();
    return Optional.of(added);
  }

  private static boolean replaces(Entry old, Entry fresh) {
    return old.stage == Stage.ENDED && old.claim.epoch() < fresh.claim.epoch();
  }

  /** Moves an entry on; whether it was in {@code from} until now. */
  boolean advance(Entry entry, Stage from, Stage to) {
    synchronized (entry) {
      if (entry.stage != from) {
        return false;
      }
      entry.stage = to;
    }
    if (from == Stage.QUEUED) {
      queued.decrementAndGet();
    }
    if (!KeyMessages.isBox(entry.claim.key())) {
      running.addAndGet(change(from, to));
    }
    return true;
  }

  /** By how much a step changes the number of jobs that run. */
  private static int change(Stage from, Stage to) {
    return (to == Stage.RUNNING ? 1 : 0) - (from == Stage.RUNNING ? 1 : 0);
  }

  /** Marks an entry as no longer running, whatever it was. */
  void end(Entry entry) {
    if (!advance(entry, Stage.QUEUED, Stage.ENDED)) {
      advance(entry, Stage.RUNNING, Stage.ENDED);
    }
  }

  /** Removes an entry, unless a later one has replaced it. */
  void remove(Entry entry) {
    end(entry);
    entries.remove(entry.claim.key(), entry);
  }

  int queued() {
    return queued.get();
  }

  int runningJobs() {
    return running.get();
  }

  Collection<Entry> all() {
    return entries.values();
  }

  /** Those in a stage that {@code belongs} says yes to. */
  List<Entry> in(Stage stage, Predicate<String> belongs) {
    List<Entry> found = new ArrayList<>();
    for (Entry entry : entries.values()) {
      if (entry.stage == stage && belongs.test(entry.claim.key())) {
        found.add(entry);
      }
    }
    return found;
  }

  /** The keys of those that run, in order, boxes of messages left out. */
  List<String> running() {
    return in(Stage.RUNNING, key -> !KeyMessages.isBox(key)).stream()
        .map(e -> e.claim.key())
        .sorted()
        .toList();
  }
}
