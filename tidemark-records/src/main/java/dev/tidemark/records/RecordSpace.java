package dev.tidemark.records;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.directory.DirectoryLayer;
import dev.tidemark.kv.directory.LayerId;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.changes.ChangeStreams;
import dev.tidemark.records.internal.Bridge;
import dev.tidemark.records.internal.changes.StoredStreams;
import dev.tidemark.records.internal.opening.Opening;
import dev.tidemark.records.internal.space.IndexStates;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.sql.SqlRun;
import dev.tidemark.records.internal.store.Records;
import dev.tidemark.records.maintenance.Indexes;
import dev.tidemark.records.maintenance.Statistics;
import dev.tidemark.records.query.SqlQuery;
import dev.tidemark.records.query.Table;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The records of the types of one schema, with their indexes, in one subspace or directory of a
 * database.
 *
 * <p>It is opened once and shared by all threads. Nothing outside of its subspace or directory is
 * read or written through it, so spaces in different directories cannot touch each other.
 */
public final class RecordSpace {
  static {
    Bridge.connect(RecordSpace::internals);
  }

  private final Space space;

  private RecordSpace(Space space) {
    this.space = space;
  }

  /**
   * Opens the space in {@code root}, and creates it if it does not exist.
   *
   * @throws SchemaException if what is stored has a newer schema, or does not fit this one
   */
  public static RecordSpace open(
      Database database, Schema schema, Subspace root, UnaryOperator<StoreOptions> change) {
    return new RecordSpace(
        Opening.open(database, schema, root, change.apply(StoreOptions.DEFAULTS)));
  }

  /** Opens the space in {@code root} with default options. */
  public static RecordSpace open(Database database, Schema schema, Subspace root) {
    return open(database, schema, root, options -> options);
  }

  /**
   * Opens the space in the directory {@code path}, which is created if it does not exist.
   *
   * @param partition how many names, from the front of the path, form a directory partition; 0 for
   *     none. The store lies below it, so a partition that is the whole path is refused
   */
  public static RecordSpace open(
      Database database,
      Schema schema,
      List<String> path,
      int partition,
      UnaryOperator<StoreOptions> change) {
    if (path.stream().anyMatch(name -> name == null || name.isEmpty())) {
      throw new IllegalArgumentException(
          "The path %s of a record space has an empty name. Give each part of it one, such as that of a tenant: else tenants would share a place"
              .formatted(path));
    }
    if (partition < 0 || partition >= path.size()) {
      throw new IllegalArgumentException(
          "partition is %d; the path %s must go on behind it".formatted(partition, path));
    }
    if (partition > 0) {
      DirectoryLayer.DEFAULT.createOrOpen(
          database, LayerId.PARTITION, path.subList(0, partition).toArray(String[]::new));
    }
    Subspace root =
        DirectoryLayer.DEFAULT
            .createOrOpen(database, LayerId.NONE, path.toArray(String[]::new))
            .subspace();
    return open(database, schema, root, change);
  }

  /**
   * Opens the space in {@code root} with the schema stored in it and dynamic records: for tools
   * that do not have the classes of the program that created it.
   */
  public static RecordSpace openStored(
      Database database, Subspace root, UnaryOperator<StoreOptions> change) {
    return new RecordSpace(Opening.openStored(database, root, change.apply(StoreOptions.DEFAULTS)));
  }

  /** The records of {@code type}. */
  public <R> RecordStore<R> store(RecordType<R> type) {
    if (!space.schema().types().contains(type)) {
      throw new IllegalArgumentException(
          space.schema().type(type.name()).isPresent()
              ? ("The schema has a type %s, but it is another object; use the one that the schema"
                      + " was made with, or that schema().type(\"%s\") returns")
                  .formatted(type.name(), type.name())
              : "The schema has no type %s; it has %s"
                  .formatted(
                      type.name(), space.schema().types().stream().map(RecordType::name).toList()));
    }
    return new RecordStore<>(this, type, Records.of(space, type));
  }

  /**
   * The result of a query in a subset of SQL: {@code SELECT city, COUNT(*) FROM User WHERE age >=
   * 18 GROUP BY city ORDER BY COUNT(*) DESC LIMIT 10}. The names of tables are those of types. Also
   * in spaces that were opened with {@link #openStored}; docs/queries.md has the grammar.
   *
   * @param values the values of the parameters {@code ?} of the text, in their order; each of the
   *     type of the field that it is compared with
   * @throws SqlException if the text is wrong, with the place of the mistake
   */
  public Table sql(ReadTransaction tx, String text, Object... values) {
    return sql(text, values).table(tx);
  }

  /**
   * The query that {@code text} describes, for results that are too large for memory or for one
   * transaction.
   *
   * @param values the values of the parameters {@code ?} of the text, in their order
   * @throws SqlException if the text is wrong, with the place of the mistake
   */
  public SqlQuery sql(String text, Object... values) {
    return Bridge.sqlQuery(
        database(),
        new SqlRun(space, text, Collections.unmodifiableList(Arrays.asList(values.clone()))));
  }

  /**
   * Refuses programs with older schemas from the commit of {@code tx} on, also those that may run
   * beside this one. Call it when all programs have the new schema, and before a migration whose
   * result an older program would overwrite.
   *
   * @throws SchemaException if the store has a newer schema than this program
   */
  public void refuseOlderVersions(Transaction tx) {
    space.refuseOlder(tx);
  }

  /** The states of the indexes. */
  public Indexes indexes() {
    return Bridge.indexes(new IndexStates(space));
  }

  /** The change streams, which record what is saved and deleted. */
  public ChangeStreams changes() {
    return new StoredStreams(space);
  }

  /** What is known about the records and indexes, for the planner of queries. */
  public Statistics statistics() {
    return Bridge.statistics(space);
  }

  /** What was done through this object since it was opened. */
  public SpaceActivity activity() {
    return space.activity().now();
  }

  /** The schema that the space was opened with. */
  public Schema schema() {
    return space.schema();
  }

  /** The database that the space is in. */
  public Database database() {
    return space.database();
  }

  Space internals() {
    return space;
  }
}
