package dev.tidemark.bench;

import dev.tidemark.bench.changes.ChangesBench;
import dev.tidemark.bench.changes.ChangesProfile;
import dev.tidemark.bench.demo.DemoBench;
import dev.tidemark.bench.engine.EngineBench;
import dev.tidemark.bench.engine.EngineProfile;
import dev.tidemark.bench.engine.GrowthBench;
import dev.tidemark.bench.loader.LoaderBench;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.partitions.PartitionsBench;
import dev.tidemark.bench.partitions.PartitionsProfile;
import dev.tidemark.bench.pulse.PulseBench;
import dev.tidemark.bench.queries.QueriesBench;
import dev.tidemark.bench.records.RecordsBench;
import dev.tidemark.bench.records.RecordsProfile;
import dev.tidemark.bench.remote.RemoteBench;
import dev.tidemark.bench.remote.RemoteProfile;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The command {@code bench}: measures a part of the store side by side with others. */
public final class Main {
  private static final int USAGE_ERROR = 2;
  private static final Set<String> WITHOUT_PROFILE =
      Set.of("queries", "pulse", "loader", "growth", "demo");
  private static final String USAGE =
      """
      usage: bench engine|remote|records|changes|partitions [--quick] [--profile]
             bench queries|pulse|loader|growth|demo [--quick]
        engine     the embedded engine, beside RocksDB and the embedded stores of Java
        remote     a served database, beside gRPC, the engine in process and PostgreSQL
        records    the record layer, beside SQLite, H2, the raw store and other codecs
        queries    queries over a million records, beside SQLite and H2
        changes    change streams: readers, their latency, and what capture costs; beside PostgreSQL
        pulse      streams, maps and pools, beside Redis itself and Redisson
        partitions the engine of partitioned actors, with a log of fixed speed
        growth     gets, scans and loading as data outgrow memory, beside RocksDB; minutes
        loader     a stream into DuckDB and PostgreSQL, beside their bare bulk upserts
        demo       the demo through every layer, the size of the default, the start of a command
        --quick    a tenth of the data and shorter rounds, about a minute in all
        --profile  only a load, and in which frames its time goes\
      """;

  private Main() {}

  /** Runs what the arguments name. */
  public static void main(String[] args) throws Exception {
    System.exit(run(args, System.out, System.err));
  }

  public static int run(String[] args, PrintStream out, PrintStream err) throws Exception {
    if (args.length == 0) {
      return usage("Nothing to run was named", err);
    }
    List<String> options = Arrays.asList(args).subList(1, args.length);
    for (String option : options) {
      if (!option.equals("--quick") && !option.equals("--profile")) {
        return usage("Unknown option " + option, err);
      }
    }
    Plan plan = options.contains("--quick") ? Plan.QUICK : Plan.FULL;
    boolean profile = options.contains("--profile");
    if (profile && WITHOUT_PROFILE.contains(args[0])) {
      return usage(
          args[0] + " has no profile; engine, remote, records, changes and partitions have one",
          err);
    }
    Report report = new Report(out);
    switch (args[0]) {
      case "engine" -> {
        if (profile) {
          new EngineProfile(plan, report).run();
        } else {
          new EngineBench(plan, report).run(Report.file("engine.json"));
        }
      }
      case "remote" -> {
        if (profile) {
          new RemoteProfile(plan, report).run();
        } else {
          new RemoteBench(plan, report).run(Report.file("remote.json"));
        }
      }
      case "records" -> {
        if (profile) {
          new RecordsProfile(plan, report).run();
        } else {
          new RecordsBench(plan, report).run(Report.file("records.json"));
        }
      }
      case "changes" -> {
        if (profile) {
          new ChangesProfile(plan, report).run();
        } else {
          new ChangesBench(plan, report).run(Report.file("changes.json"));
        }
      }
      case "queries" -> new QueriesBench(plan, report).run(Report.file("queries.json"));
      case "growth" -> new GrowthBench(plan, report).run(Report.file("growth.json"));
      case "pulse" -> new PulseBench(plan, report).run(Report.file("pulse.json"));
      case "partitions" -> {
        if (profile) {
          new PartitionsProfile(plan, report).run();
        } else {
          new PartitionsBench(plan, report).run(Report.file("partitions.json"));
        }
      }
      case "loader" -> new LoaderBench(plan, report).run(Report.file("loader.json"));
      case "demo" -> new DemoBench(plan, report).run(Report.file("demo.json"));
      default -> {
        return usage("Unknown run " + args[0], err);
      }
    }
    return 0;
  }

  private static int usage(String problem, PrintStream err) {
    err.println(problem);
    err.println(USAGE);
    return USAGE_ERROR;
  }
}
