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
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The command {@code bench}: measures a part of the store side by side with others. */
public final class Main {
  private static final int USAGE_ERROR = 2;

  private static final List<Bench> BENCHES =
      List.of(
          new Bench(
              "engine",
              "the embedded engine, beside RocksDB and the embedded stores of Java",
              (plan, report, file) -> new EngineBench(plan, report).run(file),
              Optional.of((plan, report) -> new EngineProfile(plan, report).run())),
          new Bench(
              "remote",
              "a served database, beside gRPC, the engine in process and PostgreSQL",
              (plan, report, file) -> new RemoteBench(plan, report).run(file),
              Optional.of((plan, report) -> new RemoteProfile(plan, report).run())),
          new Bench(
              "records",
              "the record layer, beside SQLite, H2, the raw store and other codecs",
              (plan, report, file) -> new RecordsBench(plan, report).run(file),
              Optional.of((plan, report) -> new RecordsProfile(plan, report).run())),
          new Bench(
              "changes",
              "change streams: readers, their latency, and what capture costs; beside PostgreSQL",
              (plan, report, file) -> new ChangesBench(plan, report).run(file),
              Optional.of((plan, report) -> new ChangesProfile(plan, report).run())),
          new Bench(
              "partitions",
              "the engine of partitioned actors with a log of fixed speed, and a cluster",
              (plan, report, file) -> new PartitionsBench(plan, report).run(file),
              Optional.of((plan, report) -> new PartitionsProfile(plan, report).run())),
          new Bench(
              "queries",
              "queries over a million records, beside SQLite and H2",
              (plan, report, file) -> new QueriesBench(plan, report).run(file),
              Optional.empty()),
          new Bench(
              "pulse",
              "streams, maps and pools, beside Redis itself and Redisson",
              (plan, report, file) -> new PulseBench(plan, report).run(file),
              Optional.empty()),
          new Bench(
              "loader",
              "a stream into DuckDB and PostgreSQL, beside their bare bulk upserts",
              (plan, report, file) -> new LoaderBench(plan, report).run(file),
              Optional.empty()),
          new Bench(
              "growth",
              "gets, scans and loading as data outgrow memory, beside RocksDB; minutes",
              (plan, report, file) -> new GrowthBench(plan, report).run(file),
              Optional.empty()),
          new Bench(
              "demo",
              "the demo through every layer, the size of the default, the start of a command",
              (plan, report, file) -> new DemoBench(plan, report).run(file),
              Optional.empty()));

  private Main() {}

  /** Measures, and writes all numbers to {@code file}. */
  private interface Measurement {
    void run(Plan plan, Report report, Path file) throws Exception;
  }

  /** Prints in which frames the time of a load goes. */
  private interface Profile {
    void run(Plan plan, Report report) throws Exception;
  }

  private record Bench(
      String name, String about, Measurement measurement, Optional<Profile> profile) {}

  /** Runs what the arguments name. */
  public static void main(String[] args) throws Exception {
    System.exit(run(args, System.out, System.err));
  }

  /** Runs what the arguments name, and returns the exit code. */
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
    Optional<Bench> found =
        BENCHES.stream().filter(bench -> bench.name().equals(args[0])).findFirst();
    if (found.isEmpty()) {
      return usage("Unknown run " + args[0], err);
    }
    Bench bench = found.get();
    Plan plan = options.contains("--quick") ? Plan.QUICK : Plan.FULL;
    Report report = new Report(out);
    if (!options.contains("--profile")) {
      bench.measurement().run(plan, report, Report.file(bench.name() + ".json"));
    } else if (bench.profile().isPresent()) {
      bench.profile().get().run(plan, report);
    } else {
      return usage(
          "%s has no profile; these have one: %s".formatted(bench.name(), names(true, ", ")), err);
    }
    return 0;
  }

  private static int usage(String problem, PrintStream err) {
    err.println(problem);
    err.printf("usage: bench %s [--quick] [--profile]%n", names(true, "|"));
    err.printf("       bench %s [--quick]%n", names(false, "|"));
    for (Bench bench : BENCHES) {
      err.printf("  %-10s %s%n", bench.name(), bench.about());
    }
    err.println("  --quick    a tenth of the data and shorter rounds, about a minute in all");
    err.println("  --profile  only a load, and in which frames its time goes");
    return USAGE_ERROR;
  }

  private static String names(boolean profiled, String separator) {
    return BENCHES.stream()
        .filter(bench -> bench.profile().isPresent() == profiled)
        .map(Bench::name)
        .collect(Collectors.joining(separator));
  }
}
