package dev.tidemark.chaos;

import dev.tidemark.chaos.changes.ChangesChaos;
import dev.tidemark.chaos.engine.EngineChaos;
import dev.tidemark.chaos.loader.LoaderChaos;
import dev.tidemark.chaos.partitions.PartitionsChaos;
import dev.tidemark.chaos.partitions.ScriptedPartitions;
import dev.tidemark.chaos.pulse.PulseChaos;
import dev.tidemark.chaos.records.RecordsChaos;
import dev.tidemark.chaos.remote.RemoteChaos;
import dev.tidemark.chaos.run.Settings;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The command {@code chaos}: breaks a store on purpose and reports what it lost. */
public final class Main {
  private static final int USAGE_ERROR = 2;

  private Main() {}

  /** Runs what the arguments name; the exit code is 0 only if nothing was lost. */
  public static void main(String[] args) {
    System.exit(run(args, System.out, System.err));
  }

  static int run(String[] args, PrintStream out, PrintStream err) {
    BooleanSupplier run;
    try {
      run = parse(args, out);
    } catch (IllegalArgumentException wrong) {
      err.println(wrong.getMessage());
      err.println(Settings.USAGE);
      return USAGE_ERROR;
    }
    return run.getAsBoolean() ? 0 : 1;
  }

  private static BooleanSupplier parse(String[] args, PrintStream out) {
    if (args.length == 0) {
      throw new IllegalArgumentException("Nothing to run was named");
    }
    long seed = System.nanoTime();
    return switch (args[0]) {
      case "engine" -> new EngineChaos(Settings.parse(args, 1, Settings.engine(seed)), out)::run;
      case "remote" -> new RemoteChaos(Settings.parse(args, 1, Settings.remote(seed)), out)::run;
      case "records" -> new RecordsChaos(Settings.parse(args, 1, Settings.records(seed)), out)::run;
      case "partitions" -> {
        List<String> rest = new ArrayList<>(List.of(args));
        boolean etcd = rest.remove("--etcd");
        Optional<String> script = take("--script", rest);
        Settings settings =
            Settings.parse(rest.toArray(String[]::new), 1, Settings.partitions(seed));
        if (script.isPresent() && rest.contains("--rounds")) {
          throw new IllegalArgumentException(
              "A script has no --rounds; shorten or lengthen it by --seconds");
        }
        yield script.isPresent()
            ? new ScriptedPartitions(script.get(), settings, etcd, out)::run
            : new PartitionsChaos(settings, etcd, out)::run;
      }
      case "changes" -> new ChangesChaos(Settings.parse(args, 1, Settings.changes(seed)), out)::run;
      case "loader" -> new LoaderChaos(Settings.parse(args, 1, Settings.loader(seed)), out)::run;
      case "pulse" -> {
        List<String> rest = new ArrayList<>(List.of(args));
        boolean redis = rest.remove("--redis");
        String[] others = rest.toArray(String[]::new);
        yield new PulseChaos(Settings.parse(others, 1, Settings.pulse(seed)), redis, out)::run;
      }
      default -> throw new IllegalArgumentException("Unknown run " + args[0]);
    };
  }

  /** Takes an option and its value out of {@code rest}. */
  private static Optional<String> take(String option, List<String> rest) {
    int at = rest.indexOf(option);
    if (at < 0) {
      return Optional.empty();
    }
    if (at + 1 == rest.size()) {
      throw new IllegalArgumentException("The option " + option + " needs a value");
    }
    rest.remove(at);
    return Optional.of(rest.remove(at));
  }
}
