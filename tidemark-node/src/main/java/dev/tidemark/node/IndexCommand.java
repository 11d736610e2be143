package dev.tidemark.node;

import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.maintenance.BuildProgress;
import dev.tidemark.records.maintenance.Finding;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.maintenance.OnlineIndexer;
import dev.tidemark.records.maintenance.ProgressBar;
import dev.tidemark.records.maintenance.ScrubOptions.Mode;
import dev.tidemark.records.maintenance.ScrubReport;
import dev.tidemark.records.maintenance.Scrubber;
import dev.tidemark.records.schema.IndexSpec;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The command {@code index}: shows, builds and checks the indexes of records, also of records whose
 * program is not at hand.
 */
final class IndexCommand {
  static final String USAGE =
      """
      Usage: tidemark index list STORE PATH
             tidemark index build STORE PATH INDEX...
             tidemark index scrub STORE PATH [--repair]
      """
          + StoreAndPath.USAGE;

  private static final int BAR_WIDTH = 30;
  private static final Duration BETWEEN_LINES = Duration.ofSeconds(1);

  private final PrintStream out;
  private final PrintStream err;

  IndexCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs what stands behind {@code index}, and answers the exit code. */
  int run(String[] args) {
    return StoreAndPath.with(err, USAGE, args, this::run);
  }

  private int run(StoreAndPath stores) {
    String[] args = stores.args();
    boolean known =
        args.length >= 3
            && switch (args[0]) {
              case "list" -> args.length == 3;
              case "build" -> args.length > 3;
              case "scrub" -> args.length == 3 || (args.length == 4 && args[3].equals("--repair"));
              default -> false;
            };
    if (!known) {
      return stores.showUsage();
    }
    return stores.run(args[1], args[2], space -> run(space, args));
  }

  private int run(RecordSpace space, String[] args) {
    return switch (args[0]) {
      case "list" -> list(space);
      case "build" -> build(space, Arrays.copyOfRange(args, 3, args.length));
      default -> scrub(space, args.length == 4 ? Mode.REPAIR : Mode.REPORT);
    };
  }

  private int list(RecordSpace space) {
    Map<String, IndexState> states = space.database().read(tx -> space.indexes().states(tx));
    for (IndexSpec index : space.schema().indexes()) {
      out.printf(
          "%-40s %-16s %-24s %s%n",
          index.name(), index.kind(), states.get(index.name()), index.type());
    }
    return 0;
  }

  private int build(RecordSpace space, String[] indexes) {
    Lines lines = new Lines(space);
    BuildProgress end;
    try (OnlineIndexer indexer =
        OnlineIndexer.of(space, o -> o.withIndexes(indexes).withListener(lines::show))) {
      end = indexer.build();
    }
    out.println(ProgressBar.line(end, BAR_WIDTH));
    Map<String, IndexState> states = space.database().read(tx -> space.indexes().states(tx));
    boolean readable = true;
    for (String index : indexes) {
      out.printf("%s is %s%n", index, states.get(index));
      readable &= states.get(index) == IndexState.READABLE;
    }
    return readable ? 0 : StoreAndPath.WRONG;
  }

  /** Shows a line of progress now and then. */
  private final class Lines {
    private final RecordSpace space;
    private long shownNanos;

    Lines(RecordSpace space) {
      this.space = space;
      this.shownNanos = space.database().time().nanos();
    }

    void show(BuildProgress progress) {
      long now = space.database().time().nanos();
      if (now - shownNanos >= BETWEEN_LINES.toNanos() && !progress.complete()) {
        shownNanos = now;
        out.println(ProgressBar.line(progress, BAR_WIDTH));
      }
    }
  }

  private int scrub(RecordSpace space, Mode mode) {
    ScrubReport report = Scrubber.of(space, o -> o.withMode(mode)).run();
    List<Finding> findings = report.findings();
    findings.forEach(out::println);
    for (ScrubReport.Unchecked each : report.unchecked()) {
      out.printf("%s is not checked: %s%n", each.index(), each.reason());
    }
    out.printf(
        "scanned=%d missing=%d wrongValues=%d dangling=%d stale=%d wrongTotals=%d repaired=%d%n",
        report.scanned(),
        report.missing(),
        report.wrongValues(),
        report.dangling(),
        report.stale(),
        report.wrongTotals(),
        report.repaired());
    return report.wrong() == report.repaired() ? 0 : StoreAndPath.WRONG;
  }
}
