package dev.tidemark.node.internal.command;

import dev.tidemark.node.internal.command.changes.ChangesCommands;
import dev.tidemark.node.internal.command.demo.DemoCommand;
import dev.tidemark.node.internal.command.kv.KvCommands;
import dev.tidemark.node.internal.command.partitions.ClusterCommands;
import dev.tidemark.node.internal.command.partitions.CtlCommands;
import dev.tidemark.node.internal.command.partitions.ObjectCommands;
import dev.tidemark.node.internal.command.records.IndexCommands;
import dev.tidemark.node.internal.command.records.RecordsCommands;
import dev.tidemark.node.internal.command.records.SchemaCommands;
import dev.tidemark.node.internal.command.serve.ServeCommand;
import dev.tidemark.node.internal.console.Console;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Every command, and how a call finds the one that it names. */
public final class CommandTable {
  private static final String HELP = "help";

  /** Wide enough for the examples: a line that is broken cannot be copied. */
  private static final int WIDTH = 100;

  private final Console console;
  private final CommandLine root;

  /** The table for one call on {@code console}. */
  public CommandTable(Console console) {
    this.console = console;
    this.root = new CommandLine(new RootCommand());
    add(new ServeCommand(console));
    add(new KvCommands(console));
    add(new RecordsCommands(console))
        .addSubcommand(new IndexCommands(console))
        .addSubcommand(new SchemaCommands(console));
    add(new ChangesCommands(console));
    add(new ClusterCommands(console)).addSubcommand(new ObjectCommands(console));
    add(new CtlCommands(console));
    add(new DemoCommand(console));
    ModuleCommands.all(console).forEach(this::add);
    add(new CompletionCommand(console, root));
    root.setParameterExceptionHandler(new UsageErrors(console));
    root.setExecutionExceptionHandler(new Failures(console));
    root.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
    root.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
    root.setColorScheme(
        CommandLine.Help.defaultColorScheme(console.terminal() ? Ansi.ON : Ansi.OFF));
    root.setUsageHelpWidth(WIDTH);
  }

  private CommandLine add(Object command) {
    CommandLine line = new CommandLine(command);
    root.addSubcommand(line);
    return line;
  }

  /** All commands with theirs, for tests of what every command has to have. */
  CommandLine root() {
    return root;
  }

  /** Runs what {@code args} name, and answers the exit code. */
  public int run(String... args) {
    List<String> words = new ArrayList<>(List.of(args));
    if (words.isEmpty()) {
      console.complain("a command is needed");
      console.err().println();
      console.err().print(RootCommand.text());
      return CommandLine.ExitCode.USAGE;
    }
    // A question about a command is that command with an option.
    if (words.getFirst().equals(HELP)) {
      words.removeFirst();
      words.add("--help");
    }
    if (words.equals(List.of("--help")) || words.equals(List.of("-h"))) {
      console.out().print(RootCommand.text());
      return CommandLine.ExitCode.OK;
    }
    return root.execute(words.toArray(String[]::new));
  }
}
