package dev.tidemark.coordination;

import dev.tidemark.kv.tuple.Tuple;
import java.time.Instant;

/**
 * A member, as its row says.
 *
 * @param id the name that it joined under
 * @param incarnation greater than that of every member that joined before, under any name: a
 *     process that comes back under its old name is another member
 * @param until when it counts as dead if it does not renew its lease, by the store's time
 * @param about what it says of itself, an address for instance
 */
public record Member(String id, long incarnation, Instant until, Tuple about) {
  /** Whether its lease has ended at {@code now}. */
  public boolean isOver(Instant now) {
    return until.isBefore(now);
  }
}
