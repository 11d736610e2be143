package dev.tidemark.node;

import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.query.SqlQuery;
import dev.tidemark.records.query.TableWriter;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The command {@code query}: asks for records in SQL, also for those without their program. */
final class QueryCommand {
  static final String USAGE =
      """
      Usage: tidemark query STORE PATH SQL
        SQL    one argument, such as 'SELECT city, COUNT(*) FROM User GROUP BY city'
      """
          + StoreAndPath.USAGE;

  private final PrintStream out;
  private final PrintStream err;

  QueryCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs what stands behind {@code query}, and answers the exit code. */
  int run(String[] args) {
    return StoreAndPath.with(err, USAGE, args, this::run);
  }

  private int run(StoreAndPath stores) {
    String[] args = stores.args();
    if (args.length != 3) {
      return stores.showUsage();
    }
    return stores.run(args[0], args[1], space -> ask(space, args[2]));
  }

  private int ask(RecordSpace space, String sql) {
    SqlQuery query = space.sql(sql);
    TableWriter writer = TableWriter.to(out::println, query.columns());
    try (Stream<List<@Nullable Object>> rows = query.autoContinue()) {
      rows.forEach(writer::add);
    }
    writer.end();
    return 0;
  }
}
