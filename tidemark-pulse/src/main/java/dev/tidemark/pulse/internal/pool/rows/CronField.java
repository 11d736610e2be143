package dev.tidemark.pulse.internal.pool.rows;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One field of a cron expression: the numbers that it allows.
 *
 * @param numbers those that are allowed
 * @param isOpen whether the field begins with a star, so that it restricts nothing by itself
 */
record CronField(BitSet numbers, boolean isOpen) {
  /** What a field may hold. */
  enum Kind {
    MINUTE("minute", 0, 59, ""),
    HOUR("hour", 0, 23, ""),
    DAY("day of month", 1, 31, ""),
    MONTH("month", 1, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"),
    /** 0 and 7 are Sunday. */
    WEEKDAY("day of week", 0, 7, "SUN MON TUE WED THU FRI SAT");

    private final String title;
    private final int least;
    private final int most;
    private final String names;

    Kind(String title, int least, int most, String names) {
      this.title = title;
      this.least = least;
      this.most = most;
      this.names = names;
    }
  }

  boolean allows(int number) {
    return numbers.get(number);
  }

  /**
   * Reads a field: {@code *}, {@code 5}, {@code 1-5}, {@code MON-FRI}, any of these with {@code
   * /2}, and several with commas between them.
   */
  static CronField parse(Kind kind, String text) {
    BitSet numbers = new BitSet();
    for (String part : text.split(",", -1)) {
      add(numbers, kind, part, text);
    }
    if (kind == Kind.WEEKDAY && numbers.get(7)) {
      numbers.clear(7);
      numbers.set(0);
    }
    return new CronField(numbers, text.startsWith("*"));
  }

  private static void add(BitSet numbers, Kind kind, String part, String field) {
    int slash = part.indexOf('/');
    String range = slash < 0 ? part : part.substring(0, slash);
    int step = slash < 0 ? 1 : number(part.substring(slash + 1)).orElse(0);
    int dash = range.indexOf('-');
    int from;
    int to;
    if (range.equals("*")) {
      from = kind.least;
      to = kind == Kind.WEEKDAY ? 6 : kind.most;
    } else if (dash > 0) {
      from = number(kind, range.substring(0, dash), field);
      to = number(kind, range.substring(dash + 1), field);
    } else {
      from = number(kind, range, field);
      to = slash < 0 ? from : kind.most;
    }
    if (from > to || step < 1) {
      throw refusal(kind, field);
    }
    for (int each = from; each <= to; each += step) {
      numbers.set(each);
    }
  }

  private static int number(Kind kind, String text, String field) {
    int name = List.of(kind.names.split(" ")).indexOf(text.toUpperCase(Locale.ROOT));
    if (name >= 0 && !text.isEmpty()) {
      return name + kind.least;
    }
    return number(text)
        .filter(number -> number >= kind.least && number <= kind.most)
        .orElseThrow(() -> refusal(kind, field));
  }

  private static Optional<Integer> number(String text) {
    boolean digits =
        !text.isEmpty() && text.length() <= 4 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    return digits ? Optional.of(Integer.parseInt(text)) : Optional.empty();
  }

  private static IllegalArgumentException refusal(Kind kind, String field) {
    return new IllegalArgumentException(
        "'%s' is no %s of a cron expression: that is *, or numbers from %d to %d like 5, 1-4, */2, 1,3"
            .formatted(field, kind.title, kind.least, kind.most));
  }
}
