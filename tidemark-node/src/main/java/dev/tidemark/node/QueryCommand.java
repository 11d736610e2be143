package dev.tidemark.node;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.DirectoryException;
import dev.tidemark.records.RecordException;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.Table;
import java.io.PrintStream;

/** The command {@code query}: asks for records in SQL, also for those without their program. */
final class QueryCommand {
  static final String USAGE =
      """
      Usage: tidemark query STORE PATH SQL
        SQL    one argument, such as 'SELECT city, COUNT(*) FROM User GROUP BY city'
      """
          + StoreAndPath.USAGE;

  private static final int WRONG = 1;
  private static final int USAGE_CODE = 2;

  private final PrintStream out;
  private final PrintStream err;

  QueryCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs what stands behind {@code query}, and answers the exit code. */
  int run(String[] args) {
    if (args.length != 3) {
      err.println(USAGE);
      return USAGE_CODE;
    }
    try (Database database = StoreAndPath.database(args[0])) {
      RecordSpace space = StoreAndPath.space(database, args[1]);
      Table answer = database.read(tx -> space.sql(tx.snapshot(), args[2]));
      out.println(answer);
      return 0;
    } catch (DatabaseException
        | DirectoryException
        | RecordException
        | IllegalArgumentException
        | IllegalStateException
        | ArithmeticException failure) {
      err.println("tidemark: " + failure.getMessage());
      return WRONG;
    }
  }
}
