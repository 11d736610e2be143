package dev.tidemark.node.internal.command;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.TidemarkException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.FileTrouble;
import dev.tidemark.node.internal.console.Misuse;
import dev.tidemark.partitions.PartitionException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Turns what a command threw into a line and an exit code. */
final class Failures implements IExecutionExceptionHandler {
  private static final String CTL = "ctl";
  private static final int FAILED = 1;
  private static final int UNREACHABLE = 3;
  private static final int NOT_FOUND = 4;

  private final Console console;

  Failures(Console console) {
    this.console = console;
  }

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
    boolean ctl = parsed.hasSubcommand() && parsed.subcommand().commandSpec().name().equals(CTL);
    return switch (failure) {
      case Misuse wrong -> misuse(wrong, parsed);
      case InterruptedException stopped -> {
        Thread.currentThread().interrupt();
        yield told("interrupted", FAILED);
      }
      case PartitionException refused when ctl -> told(refused.getMessage(), exitCode(refused));
      case UsageException wrong when ctl -> misuse(wrong, parsed);
      case IllegalArgumentException wrong when ctl -> misuse(wrong, parsed);
      case DatabaseException unreachable when ctl -> told(unreachable.getMessage(), UNREACHABLE);
      case IOException file -> told(FileTrouble.text(file), FAILED);
      case UncheckedIOException file ->
          told(
              file.getMessage()
                  + ": "
                  + FileTrouble.reason(Objects.requireNonNull(file.getCause())),
              FAILED);
      case Exception other when isUnderstandable(other) -> told(other.getMessage(), FAILED);
      default -> {
        failure.printStackTrace(console.err());
        yield FAILED;
      }
    };
  }

  private int misuse(Exception wrong, ParseResult parsed) {
    return UsageErrors.show(console, String.valueOf(wrong.getMessage()), innermost(parsed));
  }

  private int told(@Nullable String message, int exitCode) {
    console.complain(String.valueOf(message));
    return exitCode;
  }

  /** Whether the message says what happened to somebody who has not read the code. */
  private static boolean isUnderstandable(Exception failure) {
    return failure instanceof TidemarkException
        || failure instanceof IllegalArgumentException
        || failure instanceof IllegalStateException
        || failure instanceof ArithmeticException;
  }

  private static int exitCode(PartitionException failure) {
    return switch (failure.reason()) {
      case NOT_FOUND -> NOT_FOUND;
      case IN_DOUBT, TIMED_OUT -> UNREACHABLE;
      default -> FAILED;
    };
  }

  private static CommandLine innermost(ParseResult parsed) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    return last.commandSpec().commandLine();
  }
}
