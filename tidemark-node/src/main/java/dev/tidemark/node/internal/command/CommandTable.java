package dev.tidemark.node.internal.command;

import dev.tidemark.node.internal.command.changes.ChangesCommands;
import dev.tidemark.node.internal.command.demo.DemoCommand;
import dev.tidemark.node.internal.command.kv.KvCommands;
import dev.tidemark.node.internal.command.load.LoadCommands;
import dev.tidemark.node.internal.command.partitions.ClusterCommands;
import dev.tidemark.node.internal.command.partitions.CtlCommands;
import dev.tidemark.node.internal.command.partitions.ObjectCommands;
import dev.tidemark.node.internal.command.pulse.MapCommands;
import dev.tidemark.node.internal.command.pulse.PoolCommands;
import dev.tidemark.node.internal.command.pulse.StreamCommands;
import dev.tidemark.node.internal.command.records.IndexCommands;
import dev.tidemark.node.internal.command.records.RecordsCommands;
import dev.tidemark.node.internal.command.records.SchemaCommands;
import dev.tidemark.node.internal.command.serve.ServeCommand;
import dev.tidemark.node.internal.console.Console;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Every command, and how a call finds the one that it names. */
public final class CommandTable {
  private static final String HELP = "help";
  private static final List<String> HELP_OPTIONS = List.of("--help", "-h");

  /** Wide enough for the examples: a line that is broken cannot be copied. */
  private static final int WIDTH = 100;

  private final Console console;
  private final Map<String, Supplier<CommandLine>> commands = new LinkedHashMap<>();

  /** The table for one call on {@code console}. */
  public CommandTable(Console console) {
    this.console = console;
    add("serve", () -> new ServeCommand(console));
    add("kv", () -> new KvCommands(console));
    commands.put(
        "records",
        () ->
            new CommandLine(new RecordsCommands(console))
                .addSubcommand(new IndexCommands(console))
                .addSubcommand(new SchemaCommands(console)));
    add("changes", () -> new ChangesCommands(console));
    add("stream", () -> new StreamCommands(console));
    add("map", () -> new MapCommands(console));
    add("pool", () -> new PoolCommands(console));
    commands.put(
        "load",
        () ->
            new CommandLine(new LoadCommands(console))
                .addSubcommand(ModuleCommands.instant2bq(console)));
    commands.put(
        "cluster",
        () ->
            new CommandLine(new ClusterCommands(console))
                .addSubcommand(new ObjectCommands(console)));
    add("ctl", () -> new CtlCommands(console));
    add("demo", () -> new DemoCommand(console));
    ModuleCommands.all(console).forEach(this::add);
    add("completion", () -> new CompletionCommand(console, this::root));
  }

  private void add(String name, Supplier<Object> command) {
    commands.put(name, () -> new CommandLine(command.get()));
  }

  /** All commands with theirs. */
  CommandLine root() {
    return root(commands.keySet());
  }

  /** A root with only these commands: those that a call does not name would just cost time. */
  CommandLine root(Collection<String> names) {
    CommandLine root = new CommandLine(new RootCommand());
    commands.forEach(
        (name, command) -> {
          if (names.contains(name)) {
            root.addSubcommand(command.get());
          }
        });
    root.setParameterExceptionHandler(new UsageErrors(console));
    root.setExecutionExceptionHandler(new Failures(console));
    root.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
    root.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
    root.setColorScheme(
        CommandLine.Help.defaultColorScheme(console.terminal() ? Ansi.ON : Ansi.OFF));
    root.setUsageHelpWidth(WIDTH);
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
    if (words.size() == 1 && HELP_OPTIONS.contains(words.getFirst())) {
      console.out().print(RootCommand.text());
      return CommandLine.ExitCode.OK;
    }
    String first = words.getFirst();
    CommandLine root = commands.containsKey(first) ? root(Set.of(first)) : root();
    return root.execute(known(root, words).toArray(String[]::new));
  }

  /**
   * The words, without a request for help with an unknown command: the parser would show the help
   * of the last command that it knows.
   */
  private static List<String> known(CommandLine root, List<String> words) {
    CommandLine command = root;
    for (String word : words) {
      if (command.getSubcommands().isEmpty() || word.startsWith("-")) {
        return words;
      }
      if (!command.getSubcommands().containsKey(word)) {
        return words.stream().filter(each -> !HELP_OPTIONS.contains(each)).toList();
      }
      command = command.getSubcommands().get(word);
    }
    return words;
  }
}
