package dev.tidemark.records.query;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.internal.sql.SqlRows;
import dev.tidemark.records.internal.sql.SqlRun;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A parsed query in a subset of SQL, ready to run. A row has a value for each column, null where
 * there is none.
 */
public final class SqlQuery {
  private final Database database;
  private final SqlRun run;

  SqlQuery(Database database, SqlRun run) {
    this.database = database;
    this.run = run;
  }

  /** The names of the columns. */
  public List<String> columns() {
    return run.columns();
  }

  /**
   * The rows, read as they are taken. Up to 100,000 groups, distinct rows or rows to sort are kept
   * in memory; none where an index has the order. Close a stream that is abandoned before its end.
   */
  public Stream<List<@Nullable Object>> stream(ReadTransaction tx) {
    return stream(run.open(tx));
  }

  /**
   * The rows, read in as many transactions as needed, with the guarantees of {@link
   * Query#autoContinue}, if the query is about the records of one type and has neither groups nor
   * DISTINCT. Any other query reads all its rows in one transaction.
   */
  public Stream<List<@Nullable Object>> autoContinue() {
    return run.isOfRecords()
        ? stream(run.openLong())
        : database.read(tx -> list(tx.snapshot())).stream();
  }

  private List<List<@Nullable Object>> list(ReadTransaction tx) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    try (SqlRows found = run.open(tx)) {
      found.forEachRemaining(row -> rows.add(Table.row(row)));
    }
    return rows;
  }

  /**
   * Shows the rows of {@link #autoContinue} for people, line by line to {@code out} as they are
   * read. Columns are as wide as the first thousand rows need; a later row may be wider.
   */
  public void print(Consumer<String> out) {
    TableWriter writer = TableWriter.to(out, columns());
    try (Stream<List<@Nullable Object>> rows = autoContinue()) {
      rows.forEach(writer::add);
    }
    writer.end();
  }

  /** All rows, and the names of the columns. */
  public Table table(ReadTransaction tx) {
    return new Table(columns(), list(tx));
  }

  private static Stream<List<@Nullable Object>> stream(SqlRows rows) {
    Iterator<List<@Nullable Object>> lists =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return rows.hasNext();
          }

          @Override
          public List<@Nullable Object> next() {
            return Table.row(rows.next());
          }
        };
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(lists, Spliterator.ORDERED | Spliterator.NONNULL),
            false)
        .onClose(rows::close);
  }
}
