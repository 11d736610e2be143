package dev.tidemark.node.internal.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command {@code tidemark} itself, which has to be followed by another one. */
@Command(name = "tidemark")
final class RootCommand {
  /** The list of all commands, which the launcher prints too, before anything is built. */
  private static final String TEXT = "/dev/tidemark/node/commands.txt";

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  private boolean help;

  /** Whether help was asked for; the parser acts on it. */
  boolean help() {
    return help;
  }

  /** The list of all commands. */
  static String text() {
    try (InputStream text = RootCommand.class.getResourceAsStream(TEXT)) {
      if (text == null) {
        throw new IllegalStateException("The resource " + TEXT + " is missing");
      }
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot read the resource " + TEXT, failure);
    }
  }
}
