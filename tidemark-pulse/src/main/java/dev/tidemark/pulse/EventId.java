package dev.tidemark.pulse;

/**
 * The place of an event in its stream. Later events have greater ids.
 *
 * <p>The first number grows with time: microseconds of the commit on Tidemark's store, milliseconds
 * on Redis. Ids of different stores are not to be compared.
 *
 * @param major the first number, not negative
 * @param minor the second, which orders events with the same first, not negative
 */
public record EventId(long major, long minor) implements Comparable<EventId> {
  /** Before every event. */
  public static final EventId ZERO = new EventId(0, 0);

  /** Refuses negative numbers. */
  public EventId {
    if (major < 0 || minor < 0) {
      throw new IllegalArgumentException(
          "An event id has no negative numbers: " + major + "-" + minor);
    }
  }

  /**
   * The id that {@link #toString} gave {@code text} for; the second number may be missing.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  public static EventId parse(String text) {
    int dash = text.indexOf('-');
    try {
      return dash < 0
          ? new EventId(Long.parseLong(text), 0)
          : new EventId(
              Long.parseLong(text.substring(0, dash)), Long.parseLong(text.substring(dash + 1)));
    } catch (NumberFormatException mistake) {
      throw new IllegalArgumentException(
          "'" + text + "' is no event id; one looks like 1763275000123-0", mistake);
    }
  }

  @Override
  public int compareTo(EventId other) {
    int order = Long.compare(major, other.major);
    return order != 0 ? order : Long.compare(minor, other.minor);
  }

  @Override
  public String toString() {
    return major + "-" + minor;
  }
}
