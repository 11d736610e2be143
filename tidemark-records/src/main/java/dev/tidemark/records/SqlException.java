package dev.tidemark.records;

/** A query as text that is wrong. The message shows the text with a mark at the place. */
public final class SqlException extends IllegalArgumentException {
  private final int position;

  /** {@code what} is wrong at {@code position} of {@code text}. */
  public SqlException(String text, int position, String what) {
    super(
        "%s (at %d)\n  %s\n  %s^"
            .formatted(what, position + 1, text.replaceAll("\\s", " "), " ".repeat(position)));
    this.position = position;
  }

  /** How many characters are before the mistake. */
  public int position() {
    return position;
  }
}
