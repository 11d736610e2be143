package dev.tidemark.records.internal.query.plan;

import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.QueryText;
import dev.tidemark.records.internal.query.condition.Taken;
import dev.tidemark.records.internal.query.condition.TextConditions;
import dev.tidemark.records.internal.query.plan.Access.Leading;
import dev.tidemark.records.internal.query.plan.Access.Range;
import dev.tidemark.records.query.Explain;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Explains the plan of a query. */
public final class Explainer {
  private final Catalog catalog;
  private final CostModel costs;
  private final long passed;
  private final QueryText text;
  private final Function<Plan, Optional<Explain.Actual>> actual;

  private Explainer(
      Catalog catalog,
      Bindings bindings,
      Taken taken,
      Function<Plan, Optional<Explain.Actual>> actual) {
    this.catalog = catalog;
    this.costs = new CostModel(catalog, bindings, taken);
    this.passed = taken.passed();
    this.text = QueryText.of(catalog.type(), bindings);
    this.actual = actual;
  }

  /**
   * Explains a query that is answered by {@code chosen}, one of the candidates of {@code planned}.
   *
   * @param taken the number of rows that are taken
   * @param actual the measured work of each node of the plan; empty before the query has run
   */
  public static Explain explain(
      Catalog catalog,
      RankedPlans planned,
      Candidate chosen,
      Bindings bindings,
      Taken taken,
      Function<Plan, Optional<Explain.Actual>> actual) {
    Explainer explainer = new Explainer(catalog, bindings, taken, actual);
    Explain.Node root = explainer.node(chosen.plan(), chosen.estimate());
    root = explainer.withPassed(chosen.plan(), root);
    return new Explain(root, explainer.rejected(planned, chosen));
  }

  /** Only the root of a plan passes over rows. */
  private Explain.Node withPassed(Plan plan, Explain.Node root) {
    if (!(plan instanceof Plan.Read read)
        || passed <= Access.READ_RATHER_THAN_COUNT_MAX
        || catalog.type().expiry().isPresent()) {
      return root;
    }
    Route route = catalog.route(read.access().index());
    if (!read.givesEveryEntry(route) || !read.countsEntries(route)) {
      return root;
    }
    List<String> details = new ArrayList<>(root.details());
    details.add(String.format(Locale.ROOT, "offset %,d by rank", passed));
    return new Explain.Node(
        root.what(), root.index(), details, root.estimate(), root.actual(), root.sources());
  }

  private Explain.Node node(Plan plan, Estimate estimate) {
    List<String> details = new ArrayList<>();
    List<Explain.Node> sources = new ArrayList<>();
    switch (plan) {
      case Plan.Nothing nothing -> {}
      case Plan.Read read -> {
        details.addAll(access(read.access()));
        addCheck(details, "check on entry", read.onEntry());
        addCheck(details, "check on record", read.onRecord());
        if (!read.mergedBy().isEmpty()) {
          details.add("merged by " + text.orders(read.mergedBy()));
        }
      }
      case Plan.Intersection(var accesses, var onRecord) -> {
        addCheck(details, "check on record", onRecord);
        accesses.forEach(access -> sources.add(lane(access)));
      }
      case Plan.Union(var branches, var mergedBy) -> {
        if (!mergedBy.isEmpty()) {
          details.add("merged by " + text.orders(mergedBy));
        }
        branches.forEach(branch -> sources.add(node(branch.plan(), costs.whole(branch.plan()))));
      }
      case Plan.Sorted(var source, var by) -> {
        details.add("by " + text.orders(by));
        sources.add(node(source, costs.whole(source)));
      }
    }
    return new Explain.Node(
        what(plan),
        index(plan),
        details,
        Optional.of(shown(estimate)),
        actual.apply(plan),
        sources);
  }

  private static Explain.Estimate shown(Estimate estimate) {
    return new Explain.Estimate(
        estimate.rows(), estimate.keys() + estimate.loads(), estimate.cost());
  }

  /** One access of an intersection, of which only keys are read. */
  private Explain.Node lane(Access access) {
    double entries = costs.entries(access);
    return new Explain.Node(
        "keys of",
        access.index(),
        access(access),
        Optional.of(new Explain.Estimate(entries, entries, costs.scanned(entries))),
        Optional.empty(),
        List.of());
  }

  private String what(Plan plan) {
    return switch (plan) {
      case Plan.Nothing nothing -> "nothing";
      case Plan.Read read -> what(read);
      case Plan.Intersection intersection -> "intersection";
      case Plan.Union union -> "union";
      case Plan.Sorted sorted -> "sort";
    };
  }

  private String what(Plan.Read read) {
    Access access = read.access();
    boolean whole = access.leading().isEmpty() && access.range() instanceof Range.All;
    if (access.index().isEmpty()) {
      return whole ? "full scan" : "primary key scan";
    }
    if (access.leading().stream().anyMatch(Leading.Any.class::isInstance)) {
      return read.covering() ? "covering skip scan" : "skip scan";
    }
    if (catalog.route(access.index()).hasWords()) {
      return read.covering() ? "covering text scan" : "text scan";
    }
    return read.covering() ? "covering scan" : "index scan";
  }

  private static Optional<String> index(Plan plan) {
    return plan instanceof Plan.Read read ? read.access().index() : Optional.empty();
  }

  private void addCheck(List<String> details, String what, Condition condition) {
    if (!(condition instanceof Condition.Always)) {
      details.add(what + ": " + text.condition(condition));
    }
  }

  private List<String> access(Access access) {
    List<String> bounds = bounds(access);
    List<String> details = new ArrayList<>();
    if (!bounds.isEmpty()) {
      details.add("range: " + String.join(", ", bounds));
    }
    if (access.reverse()) {
      details.add("backwards");
    }
    return details;
  }

  private List<String> bounds(Access access) {
    List<ColumnSpec> key = catalog.route(access.index()).key();
    List<String> bounds = new ArrayList<>();
    for (int i = 0; i < access.leading().size(); i++) {
      ColumnSpec column = Planner.ascending(key.get(i));
      String name = text.column(column);
      bounds.add(
          switch (access.leading().get(i)) {
            case Leading.Equal(var operand) -> name + " = " + text.value(column, operand);
            case Leading.EachOf(var operands) ->
                "%s in (%s)".formatted(name, text.values(column, operands));
            case Leading.Null none -> name + " is null";
            case Leading.Any any -> "each " + name;
          });
    }
    if (!(access.range() instanceof Range.All)) {
      ColumnSpec column = Planner.ascending(key.get(access.leading().size()));
      bounds.add(range(column, access.range()));
    }
    return bounds;
  }

  private String range(ColumnSpec column, Range range) {
    String name = text.column(column);
    return switch (range) {
      case Range.All all -> "each " + name;
      case Range.NotNull notNull -> name + " is not null";
      case Range.Prefix(var operand) -> name + " starts with " + text.value(column, operand);
      case Range.Between(var lower, var upper) -> {
        List<String> parts = new ArrayList<>();
        lower.forEach(bound -> parts.add(bound(column, ">", bound)));
        upper.forEach(bound -> parts.add(bound(column, "<", bound)));
        yield String.join(" and ", parts);
      }
    };
  }

  private String bound(ColumnSpec column, String sign, Range.Bound bound) {
    return "%s %s%s %s"
        .formatted(
            text.column(column),
            sign,
            bound.inclusive() ? "=" : "",
            text.value(column, bound.operand()));
  }

  private List<Explain.Rejected> rejected(RankedPlans planned, Candidate chosen) {
    List<Explain.Rejected> rejected = new ArrayList<>();
    for (Candidate candidate : planned.candidates()) {
      if (candidate.fingerprint() != chosen.fingerprint()) {
        rejected.add(
            new Explain.Rejected(
                line(candidate.plan()),
                OptionalDouble.of(candidate.estimate().cost()),
                reason(candidate.estimate().cost(), chosen.estimate().cost())));
      }
    }
    catalog
        .unreadable()
        .forEach(
            (index, why) ->
                rejected.add(new Explain.Rejected("index " + index, OptionalDouble.empty(), why)));
    for (Route route : catalog.indexes()) {
      String index = route.index().orElseThrow();
      if (planned.candidates().stream().noneMatch(candidate -> candidate.plan().uses(index))) {
        rejected.add(
            new Explain.Rejected("index " + index, OptionalDouble.empty(), useless(route)));
      }
    }
    return rejected;
  }

  private static String reason(double cost, double best) {
    if (cost == Double.POSITIVE_INFINITY) {
      return "has too many ranges to merge";
    }
    if (cost >= CostModel.MAY_FAIL) {
      return "sorts more rows than the memory for it may hold";
    }
    if (cost < best) {
      return "costs less for these values, but a plan of so many parts is chosen for the first"
          + " ones";
    }
    return cost == best
        ? "costs the same"
        : String.format(Locale.ROOT, "costs %.1f times as much", cost / Math.max(best, 0.001));
  }

  private String useless(Route route) {
    if (route.hasWords()) {
      ColumnSpec text = TextConditions.text(route.key().get(route.width() - 1));
      return "the query does not look for words of " + this.text.column(text);
    }
    if (route.fansOut()) {
      return "the query does not ask about the elements in it";
    }
    return route.filter().isEmpty()
        ? "the query does not ask about " + text.column(route.key().getFirst())
        : "its filter does not follow from the query";
  }

  private String line(Plan plan) {
    return switch (plan) {
      case Plan.Nothing nothing -> "nothing";
      case Plan.Read read -> {
        List<String> bounds = bounds(read.access());
        yield what(read)
            + read.access().index().map(index -> " " + index).orElse("")
            + (bounds.isEmpty() ? "" : " [" + String.join(", ", bounds) + "]")
            + (read.access().reverse() ? " backwards" : "")
            + (read.mergedBy().isEmpty() ? "" : " merged");
      }
      case Plan.Intersection(var accesses, var onRecord) ->
          accesses.stream()
              .map(access -> access.index().orElse("records") + bounds(access))
              .collect(Collectors.joining(" and ", "intersection of ", ""));
      case Plan.Union(var branches, var mergedBy) ->
          branches.stream()
              .limit(4)
              .map(branch -> line(branch.plan()))
              .collect(
                  Collectors.joining(
                      " and ",
                      mergedBy.isEmpty() ? "union of " : "merged union of ",
                      branches.size() > 4 ? " and %d more".formatted(branches.size() - 4) : ""));
      case Plan.Sorted(var source, var by) -> "sort of " + line(source);
    };
  }
}
