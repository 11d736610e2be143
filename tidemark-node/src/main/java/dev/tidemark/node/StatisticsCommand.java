package dev.tidemark.node;

import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.maintenance.StatisticsReport;
import java.io.PrintStream;

/** The command {@code statistics}: shows and collects what queries are planned by. */
final class StatisticsCommand {
  static final String USAGE =
      """
      Usage: tidemark statistics STORE PATH [--collect | --refresh]
        --collect  collect all statistics first
        --refresh  collect those first that are missing or stale
      """
          + StoreAndPath.USAGE;

  private final PrintStream out;
  private final PrintStream err;

  StatisticsCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs what stands behind {@code statistics}, and answers the exit code. */
  int run(String[] args) {
    return StoreAndPath.with(err, USAGE, args, this::run);
  }

  private int run(StoreAndPath stores) {
    String[] args = stores.args();
    String option = args.length == 3 ? args[2] : "";
    boolean known = option.isEmpty() || option.equals("--collect") || option.equals("--refresh");
    if (args.length < 2 || args.length > 3 || !known) {
      return stores.showUsage();
    }
    return stores.run(args[0], args[1], space -> show(space, option));
  }

  private int show(RecordSpace space, String option) {
    if (option.equals("--collect")) {
      space.statistics().collect();
    } else if (option.equals("--refresh")) {
      space.statistics().refreshIfStale();
    }
    StatisticsReport report = space.database().read(space.statistics()::show);
    if (report.parts().isEmpty()) {
      out.println("No statistics have been collected; --collect does it.");
    }
    report.parts().forEach(part -> StatisticsText.lines(part).forEach(out::println));
    return 0;
  }
}
