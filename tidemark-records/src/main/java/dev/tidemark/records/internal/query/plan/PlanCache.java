package dev.tidemark.records.internal.query.plan;

import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Shape;
import dev.tidemark.records.internal.query.condition.Taken;
import dev.tidemark.records.internal.space.ActivityCounts;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * What is kept are the plans, not the choice among them: to estimate a dozen plans again for the values of the
 * next call takes microseconds, and an IN of two values may deserve another plan than one of two thousand. Only
 * where there is much to estimate, as in unions of a hundred branches, the first choice stays.
 */

/**
 * The cache of the plans of one type, valid until the header of the store changes. Bounded: the
 * least recently used shape is evicted. Safe for several threads.
 */
public final class PlanCache {
  /** The largest number of cached shapes. */
  static final int SHAPES_MAX = 512;

  /** The number of accesses of all candidates up to which costs are estimated for each call. */
  private static final int ESTIMATED_MAX = 100;

  private final Catalog catalog;
  private final ActivityCounts activity;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by {@code lock}. */
  private final Map<Key, RankedPlans> plans = new LinkedHashMap<>(16, 0.75f, true);

  /** The cache key: the shape, and the implications of the values. */
  private record Key(Shape shape, Set<Implication> implications) {}

  /** Plans for {@code catalog}; {@code activity} counts how often they are found. */
  public PlanCache(Catalog catalog, ActivityCounts activity) {
    this.catalog = catalog;
    this.activity = activity;
  }

  /** The metadata that the plans were made for. */
  public Catalog catalog() {
    return catalog;
  }

  /** As {@link Planner#plan}. */
  public RankedPlans plan(Shape shape, Bindings bindings, Taken taken) {
    Key key = new Key(shape, Implication.all(catalog, shape.condition(), bindings));
    RankedPlans known = find(key);
    if (known == null) {
      RankedPlans planned = Planner.plan(catalog, shape, bindings, taken, key.implications());
      keep(key, planned);
      activity.makePlan();
      return planned;
    }
    activity.usePlan();
    if (isOneRecord(known.chosen().plan())) {
      return known;
    }
    return accesses(known) <= ESTIMATED_MAX
        ? Planner.again(catalog, known, bindings, taken)
        : Planner.possible(catalog, known, bindings, taken);
  }

  /** Whether {@code plan} reads one record by its primary key, which no plan can beat. */
  private boolean isOneRecord(Plan plan) {
    return plan instanceof Plan.Read read
        && read.access().index().isEmpty()
        && read.access().leading().size() == catalog.records().key().size()
        && read.access().leading().stream().allMatch(Access.Leading.Equal.class::isInstance);
  }

  private static int accesses(RankedPlans planned) {
    int accesses = 0;
    for (Candidate candidate : planned.candidates()) {
      accesses += accesses(candidate.plan());
    }
    return accesses;
  }

  private static int accesses(Plan plan) {
    return switch (plan) {
      case Plan.Nothing nothing -> 0;
      case Plan.Read read -> 1;
      case Plan.Intersection intersection -> intersection.accesses().size();
      case Plan.Union union -> union.branches().size();
      case Plan.Sorted sorted -> accesses(sorted.source());
    };
  }

  /** The number of cached shapes. */
  int size() {
    lock.lock();
    try {
      return plans.size();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable RankedPlans find(Key key) {
    lock.lock();
    try {
      return plans.get(key);
    } finally {
      lock.unlock();
    }
  }

  private void keep(Key key, RankedPlans found) {
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
