package dev.tidemark.records.internal.query;

import dev.tidemark.records.internal.query.Planner.Known;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * What is kept are the plans, not the choice among them: to estimate a dozen plans again for the values of the
 * next call takes microseconds, and an IN of two values may deserve another plan than one of two thousand.
 */

/**
 * The plans of one type for as long as the header of the store stays the same. Bounded: the shape
 * that was not asked for the longest makes room. Safe for several threads.
 */
public final class PlanCache {
  /** How many shapes are kept. */
  static final int SHAPES_MAX = 512;

  private final Catalog catalog;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by {@code lock}. */
  private final Map<Key, List<Known>> plans = new LinkedHashMap<>(16, 0.75f, true);

  /** What plans are kept by: the shape, and what is known of the values without knowing them. */
  private record Key(Shape shape, Set<Implication> implications) {}

  /** Plans for {@code catalog}. */
  public PlanCache(Catalog catalog) {
    this.catalog = catalog;
  }

  /** What the plans are made for. */
  public Catalog catalog() {
    return catalog;
  }

  /** As {@link Planner#plan}. */
  public Planned plan(Shape shape, Bindings bindings, long rows) {
    Key key = new Key(shape, Implication.all(catalog, shape.condition(), bindings));
    List<Known> known = find(key);
    if (known == null) {
      known = Planner.plans(catalog, shape, bindings, key.implications());
      keep(key, known);
    }
    return Planner.rank(catalog, known, bindings, rows);
  }

  /** How many shapes are kept now. */
  int size() {
    lock.lock();
    try {
      return plans.size();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable List<Known> find(Key key) {
    lock.lock();
    try {
      return plans.get(key);
    } finally {
      lock.unlock();
    }
  }

  private void keep(Key key, List<Known> found) {
    lock.lock();
    try {
      plans.put(key, found);
      if (plans.size() > SHAPES_MAX) {
        plans.remove(plans.keySet().iterator().next());
      }
    } finally {
      lock.unlock();
    }
  }
}
