package dev.tidemark.node.internal.command;

import dev.tidemark.node.internal.console.Console;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what is wrong with the words of a call, and what was perhaps meant. */
final class UsageErrors implements IParameterExceptionHandler {
  private final Console console;

  UsageErrors(Console console) {
    this.console = console;
  }

  @Override
  public int handleParseException(ParameterException wrong, String[] args) {
    String message =
        wrong instanceof UnmatchedArgumentException unmatched
            ? unmatched(unmatched)
            : String.valueOf(wrong.getMessage());
    return show(console, message, wrong.getCommandLine());
  }

  /** Shows {@code message} and how {@code command} is used; answers the exit code for that. */
  static int show(Console console, String message, CommandLine command) {
    console.complain(message);
    CommandLine.Help help = command.getHelp();
    String heading = "Usage: ";
    console.err().print(heading + help.synopsis(heading.length()));
    console
        .err()
        .printf(
            "./%s --help shows %s%n",
            command.getCommandSpec().qualifiedName(),
            isGroup(command) ? "its commands" : "options and examples");
    return CommandLine.ExitCode.USAGE;
  }

  /** Whether {@code command} does nothing but hold others. */
  private static boolean isGroup(CommandLine command) {
    boolean helpAlone = command.getCommandSpec().options().stream().allMatch(OptionSpec::usageHelp);
    return helpAlone && !command.getSubcommands().isEmpty();
  }

  private static String unmatched(UnmatchedArgumentException wrong) {
    String word = wrong.getUnmatched().getFirst();
    CommandLine command = wrong.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    String message;
    if (wrong.isUnknownOption()) {
      message = "%s has no option '%s'".formatted(name, word);
    } else if (command.getSubcommands().isEmpty()) {
      message = "%s takes no further argument '%s'".formatted(name, word);
    } else {
      message = "%s has no command '%s'".formatted(name, word);
    }
    List<String> meant =
        Similar.to(
            word,
            wrong.isUnknownOption()
                ? command.getCommandSpec().optionsMap().keySet()
                : command.getSubcommands().keySet());
    return meant.isEmpty()
        ? message
        : message + "; did you mean " + String.join(" or ", meant) + "?";
  }
}
