package dev.tidemark.records.internal.query.plan;

import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Taken;
import dev.tidemark.records.internal.query.plan.Access.Leading;
import dev.tidemark.records.query.QueryLimits;
import java.util.List;

/*
 * The unit is about a microsecond of the embedded engine on one core, so that a cost can be read as a time. Only
 * the ratios matter for the choice. On engines behind a network a seek and a batch of loads cost more than
 * here, but both by about the same factor.
 *
 * Measured with 200,000 records of 60 bytes in memory, by running all candidates of a dozen queries and
 * comparing what they took. Loads take longer where records are large or not cached.
 */

/** Estimates the work and the cost of plans. */
final class CostModel {
  /** The cost of beginning a scan of a range. */
  private static final double SEEK = 4;

  /** The cost of reading the next entry of an index. */
  private static final double ENTRY = 0.5;

  /** The cost of reading the next record in the order of primary keys. */
  private static final double RECORD = 1;

  /** The cost of loading one of many records by its primary key. */
  private static final double LOAD = 2;

  /** The cost of decoding a record, for each byte. */
  private static final double DECODED_BYTE = 0.003;

  /** The cost of comparing the primary key of an entry of an intersection. */
  private static final double COMMON_KEY = 1;

  /** The cost of finding the place behind counted entries. */
  private static final double JUMP = 60;

  /** The number of keys that this reads. */
  private static final double JUMP_KEYS = 100;

  /** The cost of checking a condition. */
  private static final double CHECK = 0.05;

  /** The cost of tokenizing a text, for each byte of its record. */
  private static final double CUT_BYTE = 0.017;

  /** The cost of computing the entries of a text, for each byte of its record. */
  private static final double ENTRIES_OF_BYTE = 0.1;

  /** The cost of comparing two rows of a sort or a merge. */
  private static final double COMPARISON = 0.2;

  /** The number of rows above which a sort may reach the limit of {@link QueryLimits} and fail. */
  private static final double SORTED_ROWS = 50_000;

  private static final double SORTED_BYTES = 32_000_000;

  /** The penalty of a plan that may fail, which is chosen only if there is no other. */
  static final double MAY_FAIL = 1e12;

  /** The largest number of ranges that are open at the same time. */
  static final int MERGED_MAX = 1_000;

  private final Catalog catalog;
  private final Bindings bindings;
  private final Selectivity selectivity;
  private final double wanted;
  private final double passed;

  /** Costs of plans of one query of which {@code taken} rows are taken. */
  CostModel(Catalog catalog, Bindings bindings, Taken taken) {
    this.catalog = catalog;
    this.bindings = bindings;
    this.selectivity = new Selectivity(catalog, bindings);
    this.wanted = taken.rows();
    this.passed = taken.passed();
  }

  /** The estimate of {@code plan} until the wanted rows have come. */
  Estimate of(Plan plan) {
    return switch (plan) {
      case Plan.Sorted sorted -> sorted(sorted);
      case Plan.Nothing nothing -> whole(plan);
      case Plan.Read read -> passing(read, bounded(whole(read)));
      case Plan.Intersection intersection -> bounded(whole(intersection));
      case Plan.Union union -> bounded(whole(union));
    };
  }

  /** The estimate of {@code plan} if all its rows are taken. */
  Estimate whole(Plan plan) {
    return switch (plan) {
      case Plan.Nothing nothing -> new Estimate(0, 0, 0, 0);
      case Plan.Read read -> read(read);
      case Plan.Intersection intersection -> intersection(intersection);
      case Plan.Union union -> union(union);
      case Plan.Sorted sorted -> sorted(sorted);
    };
  }

  /** A plan that returns rows one by one stops when enough have come. */
  private Estimate bounded(Estimate all) {
    if (all.rows() <= wanted) {
      return all;
    }
    double part = wanted / all.rows();
    return new Estimate(
        wanted, all.keys() * part, all.loads() * part, SEEK + (all.cost() - SEEK) * part);
  }

  /** Skipped records are not loaded, and counted entries are not read. */
  private Estimate passing(Plan.Read read, Estimate taken) {
    Route route = catalog.route(read.access().index());
    double rows = Math.min(passed, taken.rows());
    if (rows == 0 || !read.givesEveryEntry(route) || catalog.type().expiry().isPresent()) {
      return taken;
    }
    boolean loads = !read.covering();
    boolean counted = rows > Access.READ_RATHER_THAN_COUNT_MAX && read.countsEntries(route);
    double saved = (loads ? rows * (LOAD + decoding()) : 0) + (counted ? rows * ENTRY - JUMP : 0);
    return new Estimate(
        taken.rows(),
        taken.keys() - (counted ? rows - JUMP_KEYS : 0),
        loads ? taken.loads() - rows : 0,
        Math.max(SEEK, taken.cost() - saved));
  }

  private Estimate sorted(Plan.Sorted sorted) {
    Estimate source = whole(sorted.source());
    double kept = Math.max(2, Math.min(source.rows(), wanted));
    double comparisons = source.rows() * log2(kept);
    boolean mayFail =
        kept > SORTED_ROWS || kept * catalog.statistics().recordBytes() > SORTED_BYTES;
    return new Estimate(
        Math.min(source.rows(), wanted),
        source.keys(),
        source.loads(),
        source.cost() + comparisons * COMPARISON + (mayFail ? MAY_FAIL : 0));
  }

  private static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }

  private Estimate read(Plan.Read read) {
    Route route = catalog.route(read.access().index());
    double entries = entries(read.access());
    double seeks = seeks(read.access());
    double passed = entries * selectivity.of(read.onEntry());
    double rows = passed * selectivity.of(read.onRecord());
    boolean loads = route.index().isPresent() && !read.covering();
    boolean cuts = route.hasWords() && route.repeats(read.access().leading());
    double cost =
        seeks * SEEK
            + entries * (route.index().isPresent() ? ENTRY : RECORD)
            + entries * checks(read.onEntry())
            + passed * checks(read.onRecord());
    if (loads) {
      cost += passed * (LOAD + decoding() + (cuts ? entriesOfText() : 0));
    } else if (!read.covering()) {
      cost += rows * decoding();
    }
    if (!read.mergedBy().isEmpty()) {
      cost += rows * log2(Math.max(2, seeks)) * COMPARISON;
      cost = seeks > MERGED_MAX ? Double.POSITIVE_INFINITY : cost;
    }
    return new Estimate(rows, entries + seeks, loads ? passed : 0, cost);
  }

  /** The cost of finding the first entry of a record. */
  private double entriesOfText() {
    return ENTRIES_OF_BYTE * catalog.statistics().recordBytes();
  }

  private double decoding() {
    return catalog.statistics().recordBytes() * DECODED_BYTE;
  }

  /** The number of entries in {@code access}. */
  double entries(Access access) {
    Route route = catalog.route(access.index());
    return route.statistics().entries() * selectivity.of(route, access);
  }

  /** The cost of reading {@code entries} of one range of an index. */
  double scanned(double entries) {
    return SEEK + entries * ENTRY;
  }

  /** The number of ranges of keys of {@code access}. */
  private double seeks(Access access) {
    double ranges = 1;
    for (int i = 0; i < access.leading().size(); i++) {
      switch (access.leading().get(i)) {
        case Leading.EachOf(var operands) -> ranges *= bindings.list(operands).size();
        case Leading.Any any -> ranges *= 2 * different(catalog.route(access.index()), i);
        case Leading.Equal equal -> {}
        case Leading.Null none -> {}
      }
    }
    return Math.max(1, ranges);
  }

  /**
   * The number of distinct values of the column at {@code place} for equal values of those before
   * it.
   */
  private static double different(Route route, int place) {
    double before = place == 0 ? 1 : route.statistics().distinct(place);
    return Math.max(1, route.statistics().distinct(place + 1) / Math.max(1, before));
  }

  private double checks(Condition condition) {
    return switch (condition) {
      case Condition.Always always -> 0;
      case Condition.And(var parts) -> checks(parts);
      case Condition.Or(var parts) -> checks(parts);
      case Condition.Not(var part) -> checks(part);
      case Condition.AnyMatch(var column, var element) -> CHECK + 2 * checks(element);
      case Condition.Compare compare -> CHECK;
      case Condition.In in -> 2 * CHECK;
      case Condition.IsNull isNull -> CHECK;
      case Condition.StartsWith startsWith -> CHECK;
      case Condition.Like like -> 4 * CHECK;
      case Condition.HasWords words -> catalog.statistics().recordBytes() * CUT_BYTE;
    };
  }

  private double checks(List<Condition> parts) {
    double sum = 0;
    for (Condition part : parts) {
      sum += checks(part);
    }
    return sum;
  }

  /** Each access is read once from its beginning to its end, or jumped through by the smallest. */
  private Estimate intersection(Plan.Intersection plan) {
    double rows = Math.max(1, catalog.statistics().rows());
    double common = rows;
    double all = 0;
    double smallest = Double.POSITIVE_INFINITY;
    for (Access access : plan.accesses()) {
      double entries = entries(access);
      common *= Math.min(1, entries / rows);
      all += entries;
      smallest = Math.min(smallest, entries);
    }
    int accesses = plan.accesses().size();
    double jumps = smallest * accesses;
    double reading = Math.min(all * COMMON_KEY, jumps * SEEK);
    double cost =
        accesses * SEEK + reading + common * (LOAD + decoding() + checks(plan.onRecord()));
    return new Estimate(
        common * selectivity.of(plan.onRecord()), Math.min(all, jumps), common, cost);
  }

  private Estimate union(Plan.Union union) {
    double rows = 0;
    double keys = 0;
    double loads = 0;
    double cost = 0;
    double before = 0;
    for (Plan.Branch branch : union.branches()) {
      Estimate estimate = whole(branch.plan());
      rows += estimate.rows();
      keys += estimate.keys();
      loads += estimate.loads();
      cost += estimate.cost() + estimate.rows() * before;
      before += checks(branch.condition());
    }
    if (!union.mergedBy().isEmpty()) {
      cost += rows * log2(Math.max(2, union.branches().size())) * COMPARISON;
    }
    return new Estimate(Math.min(rows, catalog.statistics().rows()), keys, loads, cost);
  }
}
