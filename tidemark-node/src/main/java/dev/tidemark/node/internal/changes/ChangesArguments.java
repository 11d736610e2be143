package dev.tidemark.node.internal.changes;

import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.Position;
import dev.tidemark.changes.StartAt;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What stands behind {@code changes}.
 *
 * @param words all but the options, in their order
 * @param values options with a value
 * @param json whether to print JSON
 */
record ChangesArguments(List<String> words, Map<String, String> values, boolean json) {
  private static final String JSON = "--json";
  private static final String FROM = "--from";
  private static final String UNTIL = "--until";
  private static final String LIMIT = "--limit";
  private static final String RUN = "--run";
  private static final String READERS = "--readers";

  /** Options with a value, and the sub-commands that have them. */
  private static final Map<String, String> WITH_VALUE =
      Map.of(FROM, "tail", UNTIL, "tail", LIMIT, "tail", RUN, "lineage", READERS, "lineage");

  /** The words before those of a sub-command: its name, STORE, PATH and STREAM. */
  static final int COMMON = 4;

  static ChangesArguments parse(List<String> args) {
    List<String> words = new ArrayList<>();
    Map<String, String> values = new HashMap<>();
    boolean json = false;
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      if (WITH_VALUE.containsKey(arg)) {
        i++;
        if (i == args.size() || values.put(arg, args.get(i)) != null) {
          throw new IllegalArgumentException(arg + " takes one value, once");
        }
      } else if (arg.equals(JSON)) {
        json = true;
      } else if (arg.startsWith("--")) {
        throw new IllegalArgumentException("changes has no option " + arg);
      } else {
        words.add(arg);
      }
    }
    return new ChangesArguments(List.copyOf(words), Map.copyOf(values), json).checked();
  }

  private ChangesArguments checked() {
    String command = word(0, "A command");
    Set<String> known = Set.of("tail", "partitions", "lineage", "split", "merge");
    if (!known.contains(command)) {
      throw new IllegalArgumentException("changes has no command '%s'".formatted(command));
    }
    values.keySet().stream()
        .filter(option -> !command.equals(WITH_VALUE.get(option)))
        .findFirst()
        .ifPresent(
            option -> {
              throw new IllegalArgumentException(
                  "%s is an option of %s, not of %s"
                      .formatted(option, WITH_VALUE.get(option), command));
            });
    if (values.containsKey(RUN) != values.containsKey(READERS)) {
      throw new IllegalArgumentException(RUN + " and " + READERS + " go together");
    }
    word(1, "STORE");
    word(2, "PATH");
    word(COMMON - 1, "STREAM");
    return this;
  }

  /** The word at {@code index}, which must be there. */
  String word(int index, String name) {
    if (index >= words.size()) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return words.get(index);
  }

  /** The words of the sub-command itself. */
  List<String> rest() {
    return words.subList(COMMON, words.size());
  }

  /** Refuses more than {@code count} words of the sub-command. */
  void expectAtMost(int count) {
    if (words.size() > COMMON + count) {
      throw new IllegalArgumentException("'%s' is too much".formatted(words.get(COMMON + count)));
    }
  }

  /** Where a tail begins. */
  StartAt from() {
    String text = values.getOrDefault(FROM, "beginning");
    return switch (text) {
      case "beginning" -> StartAt.beginning();
      case "now" -> StartAt.now();
      default ->
          text.contains("-")
              ? StartAt.time(instant(FROM, text))
              : StartAt.position(Position.parse(text));
    };
  }

  /** The end of a tail, if it has one. Nobody else can write to a directory that is open here. */
  Optional<Instant> until(ChangeSource source) {
    boolean served = words.get(1).contains("://");
    return Optional.ofNullable(values.getOrDefault(UNTIL, served ? null : "now"))
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

  /** How many changes a tail shows at most. */
  long limit() {
    String text = values.get(LIMIT);
    if (text == null) {
      return Long.MAX_VALUE;
    }
    if (!text.matches("[1-9][0-9]{0,17}")) {
      throw new IllegalArgumentException(
          "%s takes a whole number from 1 on, not '%s'".formatted(LIMIT, text));
    }
    return Long.parseLong(text);
  }

  /** The run of readers to show, if one was named. */
  Optional<String> run() {
    return Optional.ofNullable(values.get(RUN));
  }

  /** Where the readers keep their rows. */
  String readers() {
    return values.getOrDefault(READERS, "");
  }
}
