package dev.tidemark.records.changes;

/**
 * Changes behind a position were asked for and some of them have been removed, because they are
 * older than the stream's retention. Who goes on at {@link #earliest} has a gap.
 */
public final class ChangesExpiredException extends ChangeLogException {
  private static final long serialVersionUID = 1;

  private final transient ChangePosition asked;
  private final transient ChangePosition earliest;

  /** With the gap. */
  public ChangesExpiredException(String message, ChangePosition asked, ChangePosition earliest) {
    super(message);
    this.asked = asked;
    this.earliest = earliest;
  }

  /** The position that was asked for. */
  public ChangePosition asked() {
    return asked;
  }

  /** The first position from which on nothing is missing. */
  public ChangePosition earliest() {
    return earliest;
  }
}
