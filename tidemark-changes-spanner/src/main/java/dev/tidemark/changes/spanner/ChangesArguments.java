package dev.tidemark.changes.spanner;

import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.StartAt;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the command {@code changes} was called with.
 *
 * @param command what it shows
 * @param names the database and the stream
 * @param options the values of the options that were given
 * @param json whether it prints JSON
 */
record ChangesArguments(
    Command command, List<String> names, Map<String, String> options, boolean json) {
  private static final String FROM = "--from";
  private static final String UNTIL = "--until";
  private static final String LIMIT = "--limit";
  private static final String RUN = "--run";
  private static final String TABLE = "--table";
  private static final String METADATA = "--metadata";
  private static final String ROLE = "--role";
  private static final String EMULATOR = "--emulator";
  private static final Set<String> KNOWN =
      Set.of(FROM, UNTIL, LIMIT, RUN, TABLE, METADATA, ROLE, EMULATOR);

  /** What a call shows. */
  enum Command {
    TAIL,
    PARTITIONS,
    LINEAGE;

    private Set<String> takes() {
      return switch (this) {
        case TAIL -> Set.of(FROM, UNTIL, LIMIT, ROLE, EMULATOR);
        case PARTITIONS -> Set.of(FROM, ROLE, EMULATOR);
        case LINEAGE -> Set.of(FROM, UNTIL, RUN, TABLE, METADATA, ROLE, EMULATOR);
      };
    }

    static Command of(String word) {
      return switch (word) {
        case "tail" -> TAIL;
        case "partitions" -> PARTITIONS;
        case "lineage" -> LINEAGE;
        case "split", "merge" ->
            throw new IllegalArgumentException(
                "Spanner splits and merges the partitions of its streams by itself");
        default ->
            throw new IllegalArgumentException(
                "there is no command '%s'; there are tail, partitions and lineage".formatted(word));
      };
    }

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The meaning of {@code words}.
   *
   * @throws IllegalArgumentException if they have none
   */
  static ChangesArguments parse(List<String> words, Map<String, String> environment) {
    List<String> names = new ArrayList<>();
    Map<String, String> options = new HashMap<>();
    String emulator = environment.getOrDefault("SPANNER_EMULATOR_HOST", "");
    if (!emulator.isEmpty()) {
      options.put(EMULATOR, emulator);
    }
    boolean json = false;
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.equals("--json")) {
        json = true;
      } else if (KNOWN.contains(word)) {
        if (++i == words.size()) {
          throw new IllegalArgumentException(word + " has no value");
        }
        options.put(word, words.get(i));
      } else if (word.startsWith("--")) {
        throw new IllegalArgumentException("there is no option '%s'".formatted(word));
      } else {
        names.add(word);
      }
    }
    if (names.size() != 3) {
      throw new IllegalArgumentException(
          "a command, a database and a stream are needed; got " + names);
    }
    ChangesArguments call =
        new ChangesArguments(
            Command.of(names.getFirst()), names.subList(1, 3), Map.copyOf(options), json);
    call.check();
    return call;
  }

  /** Refuses what is wrong whatever the stream holds, before anything is opened. */
  private void check() {
    options.keySet().stream()
        .filter(option -> !command.takes().contains(option))
        .findFirst()
        .ifPresent(
            option -> {
              throw new IllegalArgumentException(
                  "%s takes no %s".formatted(command.word(), option));
            });
    if (!options.containsKey(RUN)
        && (options.containsKey(TABLE) || options.containsKey(METADATA))) {
      throw new IllegalArgumentException("%s and %s go with %s".formatted(TABLE, METADATA, RUN));
    }
    from();
    limit();
    text(UNTIL).filter(text -> !text.equals("now")).ifPresent(text -> instant(UNTIL, text));
  }

  private Optional<String> text(String option) {
    return Optional.ofNullable(options.get(option));
  }

  /** How to connect. */
  SpannerChangesOptions connection() {
    SpannerChangesOptions connection =
        SpannerChangesOptions.forStream(names.getFirst(), names.getLast());
    connection = text(EMULATOR).map(connection::withEmulator).orElse(connection);
    connection = text(ROLE).map(connection::withDatabaseRole).orElse(connection);
    connection = text(METADATA).map(connection::withMetadataDatabase).orElse(connection);
    return text(TABLE).map(connection::withMetadataTable).orElse(connection);
  }

  /** Where to begin; partitions are those of now unless something else is asked for. */
  StartAt from() {
    return StartAt.parse(text(FROM).orElse(command == Command.PARTITIONS ? "now" : "beginning"));
  }

  /** Where to end, if there is an end. What is no tail looks up to now. */
  Optional<Instant> until(ChangeSource source) {
    return text(UNTIL)
        .or(() -> command == Command.TAIL ? Optional.empty() : Optional.of("now"))
        .map(text -> text.equals("now") ? source.timeOf(source.now()) : instant(UNTIL, text));
  }

  private static Instant instant(String option, String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException wrong) {
      throw new IllegalArgumentException(
          "%s takes a time such as 2026-02-01T08:00:00Z, not '%s'".formatted(option, text), wrong);
    }
  }

  /** How many changes to show at most. */
  long limit() {
    String text = text(LIMIT).orElse(Long.toString(Long.MAX_VALUE));
    try {
      long limit = Long.parseLong(text);
      if (limit > 0) {
        return limit;
      }
    } catch (NumberFormatException wrong) {
      // Refused below, as what is no number from 1 on.
    }
    throw new IllegalArgumentException(
        "%s takes a whole number from 1 on, not '%s'".formatted(LIMIT, text));
  }

  /** The run whose progress is shown. */
  Optional<String> run() {
    return text(RUN);
  }
}
