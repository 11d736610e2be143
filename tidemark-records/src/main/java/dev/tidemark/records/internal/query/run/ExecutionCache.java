package dev.tidemark.records.internal.query.run;

import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.match.EntryColumns;
import dev.tidemark.records.internal.query.match.WireTests;
import dev.tidemark.records.internal.query.plan.Catalog;
import dev.tidemark.records.internal.query.plan.Route;
import dev.tidemark.records.internal.query.scan.KeyLayout;
import dev.tidemark.records.internal.space.TypeView;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The cache of what executions of plans over one type share, valid until the state of the store
 * changes. Making it takes longer than a query for one record. Safe for several threads.
 */
public final class ExecutionCache {
  /** The largest number of cached conditions; there are fewer plans, and each has a few. */
  private static final int CONDITIONS_MAX = 2_000;

  private final TypeView<?> view;
  private final Catalog catalog;
  private final Map<Optional<String>, Keys> keys = new ConcurrentHashMap<>();
  private final Map<Condition, Optional<WireTests>> tests = new ConcurrentHashMap<>();

  /**
   * The keys of an index, or of the records themselves.
   *
   * @param layout what they are made of
   * @param columns what an entry has
   * @param route the way that they lead
   */
  record Keys(KeyLayout layout, EntryColumns columns, Route route) {}

  public ExecutionCache(TypeView<?> view, Catalog catalog) {
    this.view = view;
    this.catalog = catalog;
  }

  /** The keys of {@code index}, or of the records themselves if it is empty. */
  Keys keys(Optional<String> index) {
    Keys known = keys.get(index);
    if (known == null) {
      Route route = catalog.route(index);
      KeyLayout layout = KeyLayout.of(view, route);
      known = new Keys(layout, EntryColumns.of(layout, route), route);
      keys.put(index, known);
    }
    return known;
  }

  /** The test of {@code condition}; empty if it can only be asked of decoded records. */
  Optional<WireTests> test(Condition condition) {
    Optional<WireTests> known = tests.get(condition);
    if (known == null) {
      if (tests.size() >= CONDITIONS_MAX) {
        tests.clear();
      }
      known = WireTests.of(view.type(), condition);
      tests.put(condition, known);
    }
    return known;
  }
}
