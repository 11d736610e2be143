package dev.tidemark.node.internal.command;

import dev.tidemark.node.internal.console.Console;
import java.util.concurrent.Callable;
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
  private final CommandLine root;

  CompletionCommand(Console console, CommandLine root) {
    this.console = console;
    this.root = root;
  }

  @Override
  public Integer call() {
    console.out().print(AutoComplete.bash("tidemark", root));
    return 0;
  }
}
