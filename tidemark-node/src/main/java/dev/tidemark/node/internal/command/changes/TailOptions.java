package dev.tidemark.node.internal.command.changes;

import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.StartAt;
import dev.tidemark.node.internal.console.Misuse;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where a tail begins and ends. */
final class TailOptions {
  private static final String FROM = "--from";
  private static final String UNTIL = "--until";
  private static final String LIMIT = "--limit";

  @Option(
      names = FROM,
      paramLabel = "WHERE",
      defaultValue = "beginning",
      description = "beginning (default), now, a time or a position.")
  private String from = "beginning";

  @Option(
      names = UNTIL,
      paramLabel = "WHEN",
      description = {
        "now or a time; else a directory is read to its end,",
        "and a served store is followed until the program is stopped."
      })
  private Optional<String> until = Optional.empty();

  @Option(names = LIMIT, paramLabel = "N", description = "End after N changes.")
  private long limit = Long.MAX_VALUE;

  /** Refuses what is wrong whatever the store holds, before it is opened. */
  void check() {
    from();
    if (limit < 1) {
      throw new Misuse("%s takes a whole number from 1 on, not '%d'".formatted(LIMIT, limit));
    }
    until.filter(text -> !text.equals("now")).ifPresent(text -> instant(UNTIL, text));
  }

  /** Where a tail begins. */
  StartAt from() {
    try {
      return StartAt.parse(from);
    } catch (IllegalArgumentException wrong) {
      throw new Misuse(String.valueOf(wrong.getMessage()), wrong);
    }
  }

  /** The end of a tail, if it has one. Nobody else can write to a directory that is open here. */
  Optional<Instant> until(ChangeSource source, boolean served) {
    return until
        .or(() -> served ? Optional.empty() : Optional.of("now"))
        .map(text -> text.equals("now") ? source.timeOf(source.now()) : instant(UNTIL, text));
  }

  private static Instant instant(String option, String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException wrong) {
      throw new Misuse(
          "%s takes a time such as 2026-02-01T08:00:00Z, not '%s'".formatted(option, text), wrong);
    }
  }

  /** How many changes a tail shows at most. */
  long limit() {
    return limit;
  }
}
