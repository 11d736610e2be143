package dev.tidemark.node.internal.command;

import dev.tidemark.node.internal.console.Console;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
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
    return show(console, message(wrong, args), wrong.getCommandLine());
  }

  /** The parser names what is missing first, even where an option is misspelt. */
  private static String message(ParameterException wrong, String[] args) {
    if (wrong instanceof UnmatchedArgumentException unmatched) {
      return unmatched(unmatched);
    }
    if (wrong instanceof MissingParameterException) {
      CommandLine command = wrong.getCommandLine();
      for (String word : args) {
        String name = word.split("=", 2)[0];
        if (name.equals("--")) {
          break;
        }
        if (name.startsWith("--") && !command.getCommandSpec().optionsMap().containsKey(name)) {
          return noSuchOption(command, name);
        }
      }
    }
    return String.valueOf(wrong.getMessage());
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
    if (wrong.isUnknownOption()) {
      return noSuchOption(command, word);
    }
    return meant(
        command.getSubcommands().isEmpty()
            ? "%s takes no further argument '%s'".formatted(name, word)
            : "%s has no command '%s'".formatted(name, word),
        word,
        command.getSubcommands().keySet());
  }

  private static String noSuchOption(CommandLine command, String word) {
    return meant(
        "%s has no option '%s'".formatted(command.getCommandSpec().qualifiedName(), word),
        word,
        command.getCommandSpec().optionsMap().keySet());
  }

  private static String meant(String message, String word, Collection<String> names) {
    List<String> meant = Similar.to(word, names);
    return meant.isEmpty()
        ? message
        : message + "; did you mean " + String.join(" or ", meant) + "?";
  }
}
