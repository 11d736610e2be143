package dev.tidemark.records.maintenance;

import java.time.Instant;
import java.util.Optional;

/**
 * The status of one step of {@link Migrations}.
 *
 * @param name its name
 * @param state its state
 * @param records the number of records that it has processed
 * @param begun when it began
 * @param done when it was done
 */
public record MigrationStatus(
    String name, State state, long records, Optional<Instant> begun, Optional<Instant> done) {
  /** The state of a step. */
  public enum State {
    /** It has not begun. */
    PENDING,
    /** It is running, or ended early and will be resumed. */
    BEGUN,
    /** It is done and will not run again. */
    DONE
  }
}
