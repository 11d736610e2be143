package dev.tidemark.node.internal.command;

import dev.tidemark.node.internal.console.Console;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Prints a script by which a shell completes commands and options. */
@Command(
    name = "completion",
    description = "Print a script by which bash (and zsh) complete commands and options.",
    footer = {
      "%nExamples:",
      "  ./tidemark completion > tidemark-completion.sh",
      "  . ./tidemark-completion.sh"
    })
final class CompletionCommand implements Callable<Integer> {
  private final Console console;
  private final Supplier<CommandLine> root;

  CompletionCommand(Console console, Supplier<CommandLine> root) {
    this.console = console;
    this.root = root;
  }

  @Override
  public Integer call() {
    console.out().print(AutoComplete.bash("tidemark", root.get()));
    return 0;
  }
}
