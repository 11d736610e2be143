package dev.tidemark.records;

/** A query as text that is wrong. The message shows the text with a mark at the place. */
public final class SqlException extends IllegalArgumentException {
  private final int position;

  /** {@code what} is wrong at {@code position} of {@code text}. */
  public SqlException(String text, int position, String what) {
    super(message(text, position, what));
    this.position = position;
  }

  /** Shows the line with the mistake; which one it is, if there are several. */
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

  /** How many characters are before the mistake. */
  public int position() {
    return position;
  }
}
