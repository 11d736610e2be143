package dev.tidemark.records.changes;

/**
 * Signals a read behind a position some of whose changes have been removed, because they are older
 * than the stream's retention. A reader that continues at {@link #earliest} has a gap.
 */
public final class ChangesExpiredException extends ChangeLogException {
  private static final long serialVersionUID = 1;

  private final transient ChangePosition asked;
  private final transient ChangePosition earliest;

  /** Creates it for a gap from {@code asked} to {@code earliest}. */
  public ChangesExpiredException(String message, ChangePosition asked, ChangePosition earliest) {
    super(message);
    this.asked = asked;
    this.earliest = earliest;
  }

  /** The position that was asked for. */
  public ChangePosition asked() {
    return asked;
  }

  /** The first position from which no change is missing. */
  public ChangePosition earliest() {
    return earliest;
  }
}
