package dev.tidemark.bench;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;

/** The command {@code bench}: measures a part of the store side by side with others. */
public final class Main {
  private static final int USAGE_ERROR = 2;
  private static final String USAGE =
      """
      usage: bench engine [--quick] [--profile]
        --quick    a tenth of the data and shorter rounds, about a minute in all
        --profile  only a mixed load, and in which frames its time goes""";

  private Main() {}

  /** Runs what the arguments name. */
  public static void main(String[] args) throws Exception {
    System.exit(run(args, System.out, System.err));
  }

  static int run(String[] args, PrintStream out, PrintStream err) throws Exception {
    if (args.length == 0 || !args[0].equals("engine")) {
      return usage(args.length == 0 ? "Nothing to run was named" : "Unknown run " + args[0], err);
    }
    List<String> options = Arrays.asList(args).subList(1, args.length);
    for (String option : options) {
      if (!option.equals("--quick") && !option.equals("--profile")) {
        return usage("Unknown option " + option, err);
      }
    }
    Plan plan = options.contains("--quick") ? Plan.QUICK : Plan.FULL;
    Report report = new Report(out);
    if (options.contains("--profile")) {
      new EngineProfile(plan, report).run();
    } else {
      new EngineBench(plan, report).run(Report.file("engine.json"));
    }
    return 0;
  }

  private static int usage(String problem, PrintStream err) {
    err.println(problem);
    err.println(USAGE);
    return USAGE_ERROR;
  }
}
