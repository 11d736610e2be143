package dev.tidemark.testkit.faults;

/** Something that can go wrong with a commit. */
public enum Fault {
  /** The commit is refused with a conflict (1020). Nothing is written. */
  CONFLICT,
  /** The commit is refused because the transaction is too old (1007). Nothing is written. */
  TOO_OLD,
  /** The result is unknown (1021); the commit was carried out. */
  UNKNOWN_COMMITTED,
  /** The result is unknown (1021); the commit was not carried out, and never will be. */
  UNKNOWN_NOT_COMMITTED,
  /**
   * The result is unknown (1021); the commit is still on its way and arrives just before one of the
   * next three commits, whatever happened in the meantime.
   */
  UNKNOWN_ON_ITS_WAY,
  /** The commit waits for a while on the database's clock, then goes its way. */
  DELAY
}
