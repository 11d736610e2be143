package dev.tidemark.coordination;

/**
 * One term of a leader, in the hands of the process that was elected. Safe for many threads.
 *
 * <p>{@link #isHeld} is by this process's clock and turns false before another can be elected. It
 * is a snapshot: the process may pause right after it. A write that must not happen under a later
 * leader calls {@link #check} in the same transition.
 */
public final class Leadership {
  private final LeaderSeat seat;
  private final long term;
  private final HeldLease lease;

  Leadership(LeaderSeat seat, long term, HeldLease lease) {
    this.seat = seat;
    this.term = term;
    this.lease = lease;
  }

  /** Greater than the terms of all leaders before. */
  public long term() {
    return term;
  }

  /** Whether this process still leads, as far as it can tell without asking. */
  public boolean isHeld() {
    return !lease.isLost();
  }

  /**
   * The fence: a transition that calls it commits only if this is the latest term.
   *
   * @throws FencedException if another leader has been elected since
   */
  public void check(Rows rows) {
    seat.check(rows, term);
  }

  /**
   * Gives the term up, for a leader that cannot do its work: {@link #isHeld} is false from now on,
   * and another is elected after the next beat of the lease.
   */
  public void giveUp() {
    lease.lose();
  }

  HeldLease lease() {
    return lease;
  }
}
