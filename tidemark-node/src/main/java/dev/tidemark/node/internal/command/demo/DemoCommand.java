package dev.tidemark.node.internal.command.demo;

import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Format;
import dev.tidemark.node.internal.console.Misuse;
import dev.tidemark.node.internal.meters.MeterDemo;
import dev.tidemark.node.internal.meters.MeterDemoOptions;
import dev.tidemark.node.internal.meters.output.DemoOutput;
import dev.tidemark.node.internal.meters.output.JsonOutput;
import dev.tidemark.node.internal.meters.output.TextOutput;
import dev.tidemark.node.internal.tour.Demo;
import dev.tidemark.node.internal.tour.DemoSize;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the whole system at work on this machine. */
@Command(
    name = "demo",
    description = {
      "Smart meters through every layer, a worker killed on purpose, and an audit at the end.",
      "The exit code is 0 only if every number agrees."
    },
    footer = {
      "%nExamples:",
      "  ./tidemark demo",
      "  ./tidemark demo --seconds 10 --meters 50 --headless",
      "  ./tidemark demo --data demo-data",
      "  ./tidemark demo store"
    })
public final class DemoCommand implements Callable<Integer> {
  private static final int SECONDS_MAX = 24 * 3_600;
  private static final int METERS_MAX = 100_000;
  private static final int RATE_MAX = 1_000_000;
  private static final int PORT_MAX = 65_535;

  private final Console console;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "30",
      description = "How long the meters publish (default 30).")
  private int seconds;

  @Option(
      names = "--meters",
      paramLabel = "N",
      defaultValue = "200",
      description = "How many there are (default 200).")
  private int meters;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "2500",
      description = "How many readings a second they publish at most (default 2,500).")
  private int rate;

  @Option(
      names = "--data",
      paramLabel = "DIRECTORY",
      description = "Keep the data there, and go on with what is there already.")
  private Optional<Path> data = Optional.empty();

  @Option(
      names = "--console-port",
      paramLabel = "N",
      defaultValue = "0",
      description = "Where a browser finds the console on this machine (default: a free port).")
  private int consolePort;

  @Option(names = "--headless", description = "Print plain lines instead of a summary in place.")
  private boolean headless;

  @Mixin private Format format = new Format();

  /** Prints to {@code console}. */
  public DemoCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    check("--seconds", seconds, SECONDS_MAX);
    check("--meters", meters, METERS_MAX);
    check("--rate", rate, RATE_MAX);
    if (consolePort < 0 || consolePort > PORT_MAX) {
      throw new Misuse("--console-port takes a port from 0 to 65535, not " + consolePort);
    }
    DemoOutput output =
        format.json()
            ? new JsonOutput(console.out())
            : new TextOutput(console.out(), console.terminal() && !headless);
    MeterDemoOptions options =
        new MeterDemoOptions(Duration.ofSeconds(seconds), meters, rate, consolePort, data);
    return new MeterDemo(options, output).run() ? 0 : 1;
  }

  private static void check(String option, int number, int max) {
    if (number < 1 || number > max) {
      throw new Misuse(
          "%s takes a whole number from 1 to %,d, not %d".formatted(option, max, number));
    }
  }

  @Command(
      name = "store",
      description = "A tour of the store: conflicts, records, events, jobs, a crash, a backup.",
      footer = {"%nExamples:", "  ./tidemark demo store"})
  int store(@Mixin Format tourFormat) throws IOException {
    return new Demo(DemoSize.FULL, console, tourFormat).run() ? 0 : 1;
  }
}
