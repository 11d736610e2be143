package dev.tidemark.records.internal.query.group;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.ColumnReader;
import dev.tidemark.records.internal.query.QueryEngine;
import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.internal.query.condition.QuerySpec;
import dev.tidemark.records.internal.query.match.RecordTests;
import dev.tidemark.records.internal.query.match.RowTest;
import dev.tidemark.records.query.Cursor;
import dev.tidemark.records.query.Explain;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Two ways. From the left: records that refer are read as their query says, and those they refer to are loaded by
 * their primary keys, many at a time. From the right: where few records on the right are wanted and an index leads
 * from them to those that refer, the left query is asked for the referring records of many at a time.
 */

/**
 * Records of one type, each with the record of another type that it refers to.
 *
 * @param <L> the Java class of the records that refer
 * @param <R> the Java class of the records that are referred to
 */
public final class JoinQuery<L, R> {
  private static final int FIRST_BATCH = 16;
  private static final int LARGEST_BATCH = 256;

  /** The factor by which the right side must have fewer rows to be read first. */
  private static final int WORTH_BEGINNING_RIGHT = 4;

  private static final Bindings NO_SLOTS = new Bindings(List.of());

  private final QueryEngine<L> left;
  private final QuerySpec leftSpec;
  private final ColumnSpec reference;
  private final QueryEngine<R> right;
  private final QuerySpec rightSpec;
  private final boolean outer;
  private final ColumnReader references;

  /** A record and the record that it refers to; null if there is no match. */
  public record Match<L, R>(L left, @Nullable R right) {}

  /**
   * Joins the records of {@code left} with those of {@code right} whose primary key is in {@code
   * reference}.
   *
   * @param outer whether to include records without a match
   * @throws IllegalArgumentException if the column does not hold primary keys of {@code right}
   */
  public JoinQuery(
      QueryEngine<L> left,
      QuerySpec leftSpec,
      ColumnSpec reference,
      QueryEngine<R> right,
      QuerySpec rightSpec,
      boolean outer) {
    this.left = left;
    this.leftSpec = leftSpec;
    this.reference = reference;
    this.right = right;
    this.rightSpec = rightSpec;
    this.outer = outer;
    this.references = ColumnReader.of(left.type(), reference);
    check();
  }

  private void check() {
    TypeSpec target = right.type().spec();
    FieldType key = target.field(target.primaryKey().getFirst()).orElseThrow().type();
    if (target.primaryKey().size() != 1 || !key.equals(references.type())) {
      throw new IllegalArgumentException(
          "%s.%s is %s and cannot refer to %s, whose primary key is %s"
              .formatted(
                  left.type().name(),
                  references.name(),
                  references.type(),
                  target.name(),
                  target.primaryKey().size() == 1 ? key : "of several fields"));
    }
  }

  /** Whether the referenced records are read first. */
  public boolean beginsRight(ReadTransaction tx) {
    boolean free =
        leftSpec.order().isEmpty() && leftSpec.limit().isEmpty() && leftSpec.offset() == 0;
    return !outer
        && free
        && left.hasIndexOn(tx, reference)
        && right.estimatedRows(tx, rightSpec) * WORTH_BEGINNING_RIGHT
            < left.estimatedRows(tx, leftSpec);
  }

  /** Which side is read first, and how. The other side is looked up in batches. */
  public Explain explain(ReadTransaction tx) {
    boolean fromRight = beginsRight(tx);
    Explain first =
        fromRight ? right.explain(tx, rightSpec, false) : left.explain(tx, leftSpec, false);
    String reached =
        fromRight
            ? "%s by its index on %s".formatted(left.type().name(), references.name())
            : "%s by its primary key".formatted(right.type().name());
    Explain.Node root =
        new Explain.Node(
            outer ? "left join" : "join",
            Optional.empty(),
            List.of("finds " + reached),
            first.plan().estimate(),
            Optional.empty(),
            List.of(first.plan()));
    return new Explain(root, first.rejected());
  }

  /** The matches, read as they are taken. */
  public Matches<L, R> open(ReadTransaction tx) {
    return beginsRight(tx) ? new FromRight(tx) : new FromLeft(tx);
  }

  /** Matches one by one. */
  public abstract static class Matches<L, R> implements Iterator<Match<L, R>>, AutoCloseable {
    private final Cursor<?> source;
    private final Deque<Match<L, R>> ready = new ArrayDeque<>();
    private int batch = FIRST_BATCH;

    Matches(Cursor<?> source) {
      this.source = source;
    }

    /** Whether {@link #fill} has more to read. */
    boolean hasMore() {
      return source.hasNext();
    }

    /** Reads up to {@code size} rows of either side and adds their matches. */
    abstract void fill(int size, Deque<Match<L, R>> into);

    @Override
    public boolean hasNext() {
      while (ready.isEmpty() && hasMore()) {
        fill(batch, ready);
        batch = Math.min(2 * batch, LARGEST_BATCH);
      }
      return !ready.isEmpty();
    }

    @Override
    public Match<L, R> next() {
      if (!hasNext()) {
        throw new NoSuchElementException("There are no more matches");
      }
      return ready.remove();
    }

    @Override
    public void close() {
      source.close();
    }
  }

  private static <T> List<T> take(Cursor<T> rows, int size) {
    List<T> taken = new ArrayList<>(size);
    while (taken.size() < size && rows.hasNext()) {
      taken.add(rows.next());
    }
    return taken;
  }

  private final class FromLeft extends Matches<L, R> {
    private final ReadTransaction tx;
    private final Cursor<L> rows;
    private final RowTest<Object> wanted;

    FromLeft(ReadTransaction tx) {
      this(tx, left.records(tx, leftSpec, QueryLimits.NONE, null));
    }

    private FromLeft(ReadTransaction tx, Cursor<L> rows) {
      super(rows);
      this.tx = tx;
      this.rows = rows;
      this.wanted = RecordTests.of(right.type(), rightSpec.condition()).with(NO_SLOTS);
    }

    @Override
    void fill(int size, Deque<Match<L, R>> into) {
      List<L> records = take(rows, size);
      Set<Tuple> keys = new LinkedHashSet<>();
      for (L record : records) {
        Object key = references.single(record);
        if (key != null) {
          keys.add(Tuple.of(key));
        }
      }
      Map<Tuple, R> found = right.load(tx, keys);
      for (L record : records) {
        Object key = references.single(record);
        R match = key == null ? null : found.get(Tuple.of(key));
        if (match != null && wanted.holds(match)) {
          into.add(new Match<>(record, match));
        } else if (outer) {
          into.add(new Match<>(record, null));
        }
      }
    }
  }

  private final class FromRight extends Matches<L, R> {
    private final ReadTransaction tx;
    private final Cursor<R> rows;
    private final ColumnReader keys;
    private final Map<Tuple, R> byKey = new HashMap<>();
    private @Nullable Cursor<L> referring;

    FromRight(ReadTransaction tx) {
      this(tx, right.records(tx, rightSpec, QueryLimits.NONE, null));
    }

    private FromRight(ReadTransaction tx, Cursor<R> rows) {
      super(rows);
      this.tx = tx;
      this.rows = rows;
      this.keys =
          ColumnReader.of(right.type(), ColumnSpec.of(right.type().spec().primaryKey().getFirst()));
    }

    @Override
    boolean hasMore() {
      return referring != null || super.hasMore();
    }

    /** Any number of records may refer to one record, so they come in portions, too. */
    @Override
    void fill(int size, Deque<Match<L, R>> into) {
      Cursor<L> records = referring == null ? referringToNext(size) : referring;
      referring = records;
      for (L record : take(records, size)) {
        into.add(new Match<>(record, byKey.get(Tuple.of(references.single(record)))));
      }
      if (!records.hasNext()) {
        records.close();
        referring = null;
      }
    }

    private Cursor<L> referringToNext(int size) {
      byKey.clear();
      List<@Nullable Object> wanted = new ArrayList<>();
      for (R record : take(rows, size)) {
        Object key = keys.single(record);
        wanted.add(key);
        byKey.put(Tuple.of(key), record);
      }
      Condition refers = new Condition.In(reference, new Operand.Value(wanted));
      return left.records(tx, leftSpec.and(refers), QueryLimits.NONE, null);
    }

    @Override
    public void close() {
      Cursor<L> open = referring;
      referring = null;
      try {
        if (open != null) {
          open.close();
        }
      } finally {
        super.close();
      }
    }
  }
}
