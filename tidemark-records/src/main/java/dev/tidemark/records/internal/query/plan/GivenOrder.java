package dev.tidemark.records.internal.query.plan;

import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.internal.query.plan.Access.Leading;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/*
 * Entries come in the order of their key columns, or its reverse. A column that is the same in all of them
 * takes no part in the order and may be left out of both sides. Once all columns that tell records apart have
 * been compared, whatever else is asked for makes no difference.
 */

/** The order in which the entries of a match come. */
public final class GivenOrder {
  private final Catalog catalog;
  private final Conjunction conjunction;
  private final RouteMatch match;

  /** Whether a single range is considered, in which a column with several values has one. */
  private final boolean oneRange;

  private final Set<ColumnSpec> compared = new HashSet<>();

  private GivenOrder(Catalog catalog, Conjunction conjunction, RouteMatch match, boolean oneRange) {
    this.catalog = catalog;
    this.conjunction = conjunction;
    this.match = match;
    this.oneRange = oneRange;
  }

  /** Whether the entries of {@code match} come in the order {@code wanted}. */
  static boolean fits(
      Catalog catalog,
      Conjunction conjunction,
      RouteMatch match,
      boolean reverse,
      List<Ordering> wanted) {
    return new GivenOrder(catalog, conjunction, match, false).fits(reverse, wanted);
  }

  /**
   * Whether the entries of each range of {@code match} come in that order, so that a merge is
   * possible.
   */
  static boolean fitsMerged(
      Catalog catalog,
      Conjunction conjunction,
      RouteMatch match,
      boolean reverse,
      List<Ordering> wanted) {
    boolean listed =
        wanted.stream().allMatch(ordering -> columns(match.route()).contains(ordering.column()));
    return match.hasRanges()
        && listed
        && !match.route().fansOut()
        && new GivenOrder(catalog, conjunction, match, true).fits(reverse, wanted);
  }

  /** The columns whose values an entry of {@code route} contains. */
  public static Set<ColumnSpec> columns(Route route) {
    Set<ColumnSpec> columns = new HashSet<>(route.covering());
    for (ColumnSpec column : route.key()) {
      if (!column.fansOut()) {
        columns.add(Planner.ascending(column));
      }
    }
    return columns;
  }

  private boolean fits(boolean reverse, List<Ordering> wanted) {
    List<ColumnSpec> key = match.route().key();
    int place = 0;
    for (Ordering ordering : wanted) {
      if (isKnown(ordering.column())) {
        continue;
      }
      if (tellsApart()) {
        return true;
      }
      if (isSame(ordering.column())) {
        return false; // it differs between ranges, and a merge does not compare it
      }
      while (place < key.size() && isSameAt(place)) {
        place++;
      }
      if (place == key.size() || !fits(key.get(place), reverse, ordering)) {
        return false;
      }
      compared.add(ordering.column());
      place++;
    }
    return true;
  }

  private boolean fits(ColumnSpec column, boolean reverse, Ordering ordering) {
    boolean descending = column.descending() != reverse;
    ColumnSpec plain = Planner.ascending(column);
    return !column.fansOut()
        && plain.equals(ordering.column())
        && descending == ordering.descending()
        && (ordering.nullsFirst() != descending || !canBeNull(plain));
  }

  private boolean canBeNull(ColumnSpec column) {
    return catalog.isNullable(column) && !conjunction.isNotNull(column);
  }

  /** Whether {@code column} is the same in all considered entries. */
  private boolean isSame(ColumnSpec column) {
    if (conjunction.isConstant(column)) {
      return true;
    }
    int place = oneRange ? place(column) : -1;
    return place >= 0
        && place < match.leading().size()
        && match.leading().get(place) instanceof Leading.EachOf;
  }

  private int place(ColumnSpec column) {
    List<ColumnSpec> key = match.route().key();
    for (int i = 0; i < key.size(); i++) {
      if (Planner.ascending(key.get(i)).equals(column)) {
        return i;
      }
    }
    return -1;
  }

  private boolean isSameAt(int place) {
    if (place < match.leading().size()) {
      Leading leading = match.leading().get(place);
      if (leading instanceof Leading.Equal || leading instanceof Leading.Null) {
        return true;
      }
    }
    ColumnSpec column = Planner.ascending(match.route().key().get(place));
    return !column.fansOut() && isSame(column);
  }

  /** Whether the compared columns are unique in all ranges. */
  private boolean tellsApart() {
    boolean byPrimaryKey = catalog.records().key().stream().allMatch(column -> isKnown(column));
    return byPrimaryKey
        || (match.route().unique()
            && match.route().key().subList(0, match.route().width()).stream()
                .allMatch(this::isKnownValue));
  }

  /** Whether {@code column} was compared or is constant in all ranges. */
  private boolean isKnown(ColumnSpec column) {
    return compared.contains(column) || conjunction.isConstant(column);
  }

  private boolean isKnownValue(ColumnSpec column) {
    ColumnSpec plain = Planner.ascending(column);
    return !column.fansOut() && isKnown(plain) && !canBeNull(plain);
  }
}
