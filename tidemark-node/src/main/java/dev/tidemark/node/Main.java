package dev.tidemark.node;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;

/** The {@code tidemark} command: the first argument names what to do. */
public final class Main {
  private static final int USAGE = 2;

  private Main() {}

  /** Runs a sub-command and ends the JVM with its exit code. */
  public static void main(String[] args) throws Exception {
    System.exit(run(args, System.out, System.err));
  }

  static int run(String[] args, PrintStream out, PrintStream err) throws Exception {
    if (args.length == 1 && args[0].equals("demo")) {
      return new Demo(DemoSize.FULL, out).run() ? 0 : 1;
    }
    // The demo starts this one in a process of its own, to kill it.
    if (args.length == 3 && args[0].equals(TransferProcess.COMMAND)) {
      TransferProcess.run(Path.of(args[1]), Integer.parseInt(args[2]), out);
      return 0;
    }
    String[] rest = Arrays.copyOfRange(args, Math.min(1, args.length), args.length);
    return switch (args.length == 0 ? "" : args[0]) {
      case "serve" -> serve(args, out, err);
      case "index" -> new IndexCommand(out, err).run(rest);
      case "statistics" -> new StatisticsCommand(out, err).run(rest);
      case "schema" -> new SchemaCommand(out, err).run(rest);
      case "query" -> new QueryCommand(out, err).run(rest);
      default -> showUsage(err);
    };
  }

  private static int showUsage(PrintStream err) {
    err.println("Usage: tidemark demo");
    err.println(ServeArguments.USAGE);
    err.println(IndexCommand.USAGE);
    err.println(StatisticsCommand.USAGE);
    err.println(SchemaCommand.USAGE);
    err.println(QueryCommand.USAGE);
    return USAGE;
  }

  private static int serve(String[] args, PrintStream out, PrintStream err)
      throws InterruptedException {
    ServeArguments arguments;
    try {
      arguments = ServeArguments.parse(args);
    } catch (IllegalArgumentException wrong) {
      err.println("tidemark: " + wrong.getMessage());
      err.println(ServeArguments.USAGE);
      return USAGE;
    }
    return new ServeCommand(arguments, out, err).run();
  }
}
