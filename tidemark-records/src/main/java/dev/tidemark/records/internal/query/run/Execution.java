package dev.tidemark.records.internal.query.run;

import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.ConditionColumns;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.internal.query.match.EntryColumns;
import dev.tidemark.records.internal.query.match.EntryRow;
import dev.tidemark.records.internal.query.match.RowTest;
import dev.tidemark.records.internal.query.plan.Access;
import dev.tidemark.records.internal.query.plan.Plan;
import dev.tidemark.records.internal.query.scan.AccessRanges;
import dev.tidemark.records.internal.query.scan.CommonKeys;
import dev.tidemark.records.internal.query.scan.Counts;
import dev.tidemark.records.internal.query.scan.KeyLayout;
import dev.tidemark.records.internal.query.scan.KeySource;
import dev.tidemark.records.internal.query.scan.MergedSpans;
import dev.tidemark.records.internal.query.scan.Meter;
import dev.tidemark.records.internal.query.scan.PointReads;
import dev.tidemark.records.internal.query.scan.Ranks;
import dev.tidemark.records.internal.query.scan.Reads;
import dev.tidemark.records.internal.query.scan.Span;
import dev.tidemark.records.internal.query.scan.SpanScan;
import dev.tidemark.records.internal.space.TypeView;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.TypeSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Runs one plan with the values of one call, in one transaction. Used by one thread. */
public final class Execution<R> {
  /** The assumed number of candidates for each row that passes a filter. */
  private static final int CANDIDATES_OF_A_ROW = 3;

  private final ReadTransaction tx;
  private final TypeView<R> view;
  private final ExecutionCache prepared;
  private final Bindings bindings;
  private final ConditionTests tests;
  private final QueryLimits limits;
  private final Meter meter;
  private final HitReader<R> reader;
  private final Demand demand;
  private final Condition alive;
  private final IdentityHashMap<Plan, Counts> counts = new IdentityHashMap<>();

  /**
   * The demand of the caller.
   *
   * @param rows the largest number of rows that are taken; {@link Long#MAX_VALUE} for all
   * @param records whether whole records are needed, not only columns
   * @param timed whether to measure the time of each node
   */
  public record Demand(long rows, boolean records, boolean timed) {}

  public Execution(
      ReadTransaction tx,
      TypeView<R> view,
      ExecutionCache prepared,
      Bindings bindings,
      QueryLimits limits,
      Demand demand) {
    this.tx = tx;
    this.view = view;
    this.prepared = prepared;
    this.bindings = withExpiry(view, bindings);
    this.tests = new ConditionTests(view, prepared, this.bindings);
    this.limits = limits;
    this.meter = new Meter(limits, view.time());
    this.reader = new HitReader<>(view);
    this.demand = demand;
    this.alive = alive(view.type().spec(), bindings.size());
  }

  /**
   * The condition of records that have not expired; {@code slot} has the latest time of expired
   * ones.
   */
  private static Condition alive(TypeSpec type, int slot) {
    if (type.expiry().isEmpty()) {
      return Condition.TRUE;
    }
    ColumnSpec column = ColumnSpec.of(type.expiry().get().field());
    return new Condition.Or(
        List.of(
            new Condition.IsNull(column),
            new Condition.Compare(column, Condition.Operator.GT, new Operand.Slot(slot))));
  }

  private static Bindings withExpiry(TypeView<?> view, Bindings values) {
    Optional<TypeSpec.Expiry> expiry = view.type().spec().expiry();
    if (expiry.isEmpty()) {
      return values;
    }
    List<@Nullable Object> more = new ArrayList<>(values.elements());
    Instant over = view.time().instant().minus(expiry.get().after());
    more.add(KeyElements.element(FieldType.Scalar.INSTANT, over));
    return new Bindings(more);
  }

  public Meter meter() {
    return meter;
  }

  public HitReader<R> reader() {
    return reader;
  }

  /** The work of the node {@code plan}, which was opened here. */
  public Counts counts(Plan plan) {
    return counts.computeIfAbsent(plan, node -> new Counts());
  }

  /** The rows of {@code plan} from {@code start} on. */
  public Rows open(Plan plan, Tuple start) {
    return open(plan, start, demand.rows() > Integer.MAX_VALUE ? 0 : (int) demand.rows());
  }

  /**
   * The rows of {@code plan} from {@code start} on.
   *
   * @param expected the largest number of rows that will be taken; 0 if unknown
   */
  private Rows open(Plan plan, Tuple start, int expected) {
    Rows rows = rows(plan, start, expected);
    return demand.timed() ? new TimedRows(rows, counts(plan), view.time()) : rows;
  }

  private Rows rows(Plan plan, Tuple start, int expected) {
    return switch (plan) {
      case Plan.Nothing nothing -> new NoRows();
      case Plan.Read read -> read(read, start, expected);
      case Plan.Intersection intersection -> intersection(intersection, start, expected);
      case Plan.Union union -> union(union, start, expected);
      case Plan.Sorted sorted -> sorted(sorted, start);
    };
  }

  private Reads reads(Plan plan) {
    return new Reads(tx, meter, counts(plan));
  }

  // ---- reads

  private Rows read(Plan.Read plan, Tuple start, int expected) {
    ExecutionCache.Keys keys = prepared.keys(plan.access().index());
    KeyLayout layout = keys.layout();
    EntryColumns columns = keys.columns();
    AccessRanges ranges = AccessRanges.of(layout, plan.access(), bindings);
    Reads reads = reads(plan);
    KeySource source = source(reads, plan, layout, ranges, start, expected);
    if (plan.access().index().isEmpty()) {
      return new ScannedRows(reads, source, records(reads, source, layout, plan), false);
    }
    boolean every = plan.givesEveryEntry(keys.route()) && alive.equals(Condition.TRUE);
    EntryRow row = new EntryRow(columns);
    if (covers(plan, columns)) {
      Condition condition = ConditionTests.and(plan.onEntry(), plan.onRecord(), alive);
      return new ScannedRows(
          reads,
          source,
          new CoveringEntries(source, row, tests.ofEntry(columns, condition)),
          every);
    }
    RowTest<EntryRow> test = tests.ofEntry(columns, plan.onEntry());
    Predicate<KeyValue> onEntry =
        plan.onEntry().equals(Condition.TRUE) ? entry -> true : entry -> test.holds(row.at(entry));
    return new EntryRows(
        reads,
        view,
        source,
        onEntry,
        tests.ofRecord(ConditionTests.and(plan.onRecord(), alive)),
        keys.route().repeats(plan.access().leading())
            ? new FirstEntry<>(view, reader, ranges, plan.access())
            : hit -> true,
        every,
        expected,
        candidates(plan, expected));
  }

  private KeySource source(
      Reads reads,
      Plan.Read plan,
      KeyLayout layout,
      AccessRanges ranges,
      Tuple start,
      int expected) {
    boolean reverse = plan.access().reverse();
    if (!plan.mergedBy().isEmpty()) {
      return new MergedSpans(reads, layout, ranges, reverse, start);
    }
    if (plan.access().index().isEmpty() && ranges.arePoints()) {
      return new PointReads(reads, layout, ranges, reverse, start);
    }
    int candidates = candidates(plan, expected);
    return new SpanScan(reads, layout, ranges, reverse, candidates, ranks(reads, plan), start);
  }

  /** The ranks that count the entries of {@code plan}; null if there are none. */
  private @Nullable Ranks ranks(Reads reads, Plan.Read plan) {
    ExecutionCache.Keys keys = prepared.keys(plan.access().index());
    if (!plan.countsEntries(keys.route())) {
      return null;
    }
    String index = plan.access().index().orElseThrow();
    return new Ranks(
        keys.layout().prefix().size(),
        keys.route().rankedIn().orElseThrow(),
        group -> view.places(tx.snapshot(), index, group, reads::spend),
        this::addReadConflict);
  }

  private void addReadConflict(KeyRange range) {
    if (tx instanceof Transaction serializable) {
      serializable.addReadConflict(range);
    }
  }

  /**
   * The probable number of entries or records that {@code plan} reads to find {@code expected}
   * rows.
   */
  private int candidates(Plan.Read plan, int expected) {
    boolean all =
        plan.onEntry().equals(Condition.TRUE)
            && plan.onRecord().equals(Condition.TRUE)
            && alive.equals(Condition.TRUE);
    return all ? expected : more(expected);
  }

  /** Enough candidates for most filters; a shortfall is read later, and an excess costs little. */
  private static int more(int expected) {
    return (int) Math.min((long) expected * CANDIDATES_OF_A_ROW, Integer.MAX_VALUE);
  }

  /** Whether entries cover the query; they must contain the time of expiry. */
  private boolean covers(Plan.Read plan, EntryColumns columns) {
    return plan.covering()
        && !demand.records()
        && ConditionColumns.single(alive).stream().allMatch(column -> columns.place(column) >= 0);
  }

  private ScannedRows.Finder records(
      Reads reads, KeySource source, KeyLayout layout, Plan.Read plan) {
    RecordTest test = tests.ofRecord(ConditionTests.and(plan.onEntry(), plan.onRecord(), alive));
    return new WholeRecords(reads, view, source, layout, test);
  }

  private Rows intersection(Plan.Intersection plan, Tuple start, int expected) {
    Reads reads = reads(plan);
    List<CommonKeys.Lane> lanes = new ArrayList<>();
    @Nullable KeyLayout first = null;
    for (Access access : plan.accesses()) {
      KeyLayout layout = prepared.keys(access.index()).layout();
      AccessRanges ranges = AccessRanges.of(layout, access, bindings);
      Optional<Span> span = ranges.only();
      if (span.isEmpty()) {
        return new NoRows();
      }
      first = first == null ? layout : first;
      lanes.add(
          new CommonKeys.Lane(
              reads, layout, span.get(), ranges.leadingColumns(), access.reverse()));
    }
    return new EntryRows(
        reads,
        view,
        new CommonKeys(lanes, Objects.requireNonNull(first), start),
        entry -> true,
        tests.ofRecord(ConditionTests.and(plan.onRecord(), alive)),
        hit -> true,
        false,
        expected,
        plan.onRecord().equals(Condition.TRUE) ? expected : more(expected));
  }

  // ---- several

  private Rows union(Plan.Union plan, Tuple start, int expected) {
    List<UnionBranch> branches = new ArrayList<>();
    List<Predicate<Hit>> before = new ArrayList<>();
    for (Plan.Branch branch : plan.branches()) {
      branches.add(
          new UnionBranch(place -> open(branch.plan(), place, expected), List.copyOf(before)));
      before.add(tests.ofHit(branch.condition()));
    }
    Counts own = counts(plan);
    return plan.mergedBy().isEmpty()
        ? new UnionRows(meter, own, branches, start)
        : new MergedRows(meter, own, branches, new SortKey(plan.mergedBy(), reader), start);
  }

  private Rows sorted(Plan.Sorted plan, Tuple start) {
    Sorter sorter = new Sorter(new SortKey(plan.by(), reader), limits, demand.rows());
    Rows source = open(plan.source(), Tuple.EMPTY, 0);
    return new SortedRows(meter, counts(plan), source, reader, sorter, start);
  }
}
