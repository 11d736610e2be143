package dev.tidemark.node;

import dev.tidemark.kv.StorageException;
import dev.tidemark.node.internal.changes.ChangesCommand;
import dev.tidemark.node.internal.cluster.ClusterCommand;
import dev.tidemark.node.internal.ctl.CtlCommand;
import dev.tidemark.node.internal.meters.MeterDemo;
import dev.tidemark.node.internal.meters.MeterDemoException;
import dev.tidemark.node.internal.meters.MeterDemoOptions;
import dev.tidemark.node.internal.meters.WorkerProcess;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The {@code tidemark} command: the first argument names what to do. */
public final class Main {
  private static final int USAGE = 2;

  private Main() {}

  /** Runs a sub-command and ends the JVM with its exit code. */
  public static void main(String[] args) throws Exception {
    System.exit(run(args, System.out, System.err));
  }

  static int run(String[] args, PrintStream out, PrintStream err) throws Exception {
    if (args.length == 2 && args[0].equals("demo") && args[1].equals("store")) {
      return new Demo(DemoSize.FULL, out).run() ? 0 : 1;
    }
    if (args.length == 2 && args[0].equals(WorkerProcess.COMMAND)) {
      WorkerProcess.run(args[1]);
      return 0;
    }
    // The demo starts this one in a process of its own, to kill it.
    if (args.length == 3 && args[0].equals(TransferProcess.COMMAND)) {
      TransferProcess.run(Path.of(args[1]), Integer.parseInt(args[2]), out);
      return 0;
    }
    String[] rest = Arrays.copyOfRange(args, Math.min(1, args.length), args.length);
    return switch (args.length == 0 ? "" : args[0]) {
      case "demo" -> demo(rest, out, err);
      case "serve" -> serve(args, out, err);
      case "index" -> new IndexCommand(out, err).run(rest);
      case "statistics" -> new StatisticsCommand(out, err).run(rest);
      case "schema" -> new SchemaCommand(out, err).run(rest);
      case "query" -> new QueryCommand(out, err).run(rest);
      case "ctl" -> new CtlCommand(out, err, System.getenv()).run(rest);
      case "changes" -> changes(rest, out, err);
      case "cluster" -> new ClusterCommand(out, err, System.getenv()).run(rest);
      default -> showUsage(err);
    };
  }

  private static int showUsage(PrintStream err) {
    err.println(MeterDemoOptions.USAGE);
    err.println(ServeArguments.USAGE);
    err.println(IndexCommand.USAGE);
    err.println(StatisticsCommand.USAGE);
    err.println(SchemaCommand.USAGE);
    err.println(QueryCommand.USAGE);
    err.println(ChangesCommand.USAGE);
    err.println(ClusterCommand.USAGE);
    err.println(CtlCommand.USAGE);
    return USAGE;
  }

  private static int changes(String[] arguments, PrintStream out, PrintStream err) {
    return StoreAndPath.with(
        err,
        ChangesCommand.USAGE,
        arguments,
        stores ->
            new ChangesCommand(out, err, stores::database, StoreAndPath::space)
                .run(List.of(stores.args())));
  }

  private static int demo(String[] arguments, PrintStream out, PrintStream err) throws Exception {
    MeterDemoOptions options;
    try {
      options = MeterDemoOptions.parse(arguments, Boolean.getBoolean("tidemark.live"));
    } catch (IllegalArgumentException wrong) {
      err.println("tidemark: " + wrong.getMessage());
      err.println(MeterDemoOptions.USAGE);
      return USAGE;
    }
    try {
      return new MeterDemo(options, Main.class, out).run() ? 0 : 1;
    } catch (StorageException | MeterDemoException refused) {
      err.println("tidemark: " + refused.getMessage());
      return 1;
    }
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
