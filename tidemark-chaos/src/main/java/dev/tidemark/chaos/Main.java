package dev.tidemark.chaos;

import java.io.PrintStream;

/** The command {@code chaos}: breaks a store on purpose and reports what it lost. */
public final class Main {
  private static final int USAGE_ERROR = 2;

  private Main() {}

  /** Runs what the arguments name; the exit code is 0 only if nothing was lost. */
  public static void main(String[] args) {
    System.exit(run(args, System.out, System.err));
  }

  static int run(String[] args, PrintStream out, PrintStream err) {
    Settings settings;
    try {
      if (args.length == 0 || !args[0].equals("engine")) {
        throw new IllegalArgumentException(
            args.length == 0 ? "Nothing to run was named" : "Unknown run " + args[0]);
      }
      settings = Settings.parse(args, 1, System.nanoTime());
    } catch (IllegalArgumentException wrong) {
      err.println(wrong.getMessage());
      err.println(Settings.USAGE);
      return USAGE_ERROR;
    }
    return new EngineChaos(settings, out).run() ? 0 : 1;
  }
}
