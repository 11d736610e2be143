package dev.tidemark.changes.internal.metadata;

import dev.tidemark.changes.MetadataStore;
import dev.tidemark.kv.TimeSource;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** Runs in memory. Each change works on a copy, so that one that throws leaves nothing behind. */
public final class MemoryMetadata implements MetadataStore {
  private final TimeSource time;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final Map<String, MemoryRows> runs = new HashMap<>();

  /** An empty store that lives by {@code time}. */
  public MemoryMetadata(TimeSource time) {
    this.time = time;
  }

  @Override
  public <T> T update(String run, Function<Rows, T> body) {
    lock.lock();
    try {
      MemoryRows rows = rows(run).overlay();
      T result = body.apply(rows);
      runs.put(run, rows.merged());
      return result;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public <T> T read(String run, Function<Rows, T> body) {
    lock.lock();
    try {
      return body.apply(rows(run).overlay());
    } finally {
      lock.unlock();
    }
  }

  private MemoryRows rows(String run) {
    return runs.computeIfAbsent(run, name -> new MemoryRows());
  }

  @Override
  public Instant now() {
    return time.instant();
  }

  @Override
  public void delete(String run) {
    lock.lock();
    try {
      runs.remove(run);
    } finally {
      lock.unlock();
    }
  }
}
