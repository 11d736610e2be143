package dev.tidemark.records;

/**
 * Signals a mistake in the text of a query. The message shows the line and points at the mistake.
 */
public final class SqlException extends IllegalArgumentException {
  private final int position;

  /** Creates it for the mistake {@code what} at {@code position} of {@code text}. */
  public SqlException(String text, int position, String what) {
    super(message(text, position, what));
    this.position = position;
  }

  /** The line with the mistake, with its number if there are several lines. */
  private static String message(String text, int position, String what) {
    int begin = text.lastIndexOf('\n', position - 1) + 1;
    int end = text.indexOf('\n', position);
    String line = text.substring(begin, end < 0 ? text.length() : end).replaceAll("\\s", " ");
    int column = position - begin;
    long lines = text.substring(0, begin).chars().filter(each -> each == '\n').count();
    return "%s (%sat %d)\n  %s\n  %s^"
        .formatted(
            what,
            text.indexOf('\n') < 0 ? "" : "line %d, ".formatted(lines + 1),
            column + 1,
            line,
            " ".repeat(column));
  }

  /** The number of characters before the mistake. */
  public int position() {
    return position;
  }
}
