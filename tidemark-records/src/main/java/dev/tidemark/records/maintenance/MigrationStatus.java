package dev.tidemark.records.maintenance;

import java.time.Instant;
import java.util.Optional;

/**
 * What became of one step of {@link Migrations}.
 *
 * @param name its name
 * @param state how far it is
 * @param records how many records it has been through
 * @param begun when it began
 * @param done when it was done
 */
public record MigrationStatus(
    String name, State state, long records, Optional<Instant> begun, Optional<Instant> done) {
  /** How far a step is. */
  public enum State {
    /** It has not begun. */
    PENDING,
    /** It runs, or ended early and will be gone on with. */
    BEGUN,
    /** It is done and will not run again. */
    DONE
  }
}
