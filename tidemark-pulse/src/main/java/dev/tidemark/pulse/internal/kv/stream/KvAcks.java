package dev.tidemark.pulse.internal.kv.stream;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.internal.kv.rows.ClaimRows;
import dev.tidemark.pulse.internal.kv.rows.ClaimRows.Held;
import dev.tidemark.pulse.internal.kv.rows.SortedIds;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Acknowledges events of claims, and removes the rows of claims that are done. */
final class KvAcks {
  private final Database database;
  private final ClaimRows claims;
  private final OpenClaims open;

  KvAcks(Database database, ClaimRows claims, OpenClaims open) {
    this.database = database;
    this.claims = claims;
    this.open = open;
  }

  /** Acknowledges {@code ids}, in a transaction of its own. */
  void ack(SortedIds ids) {
    database.run(tx -> claims.of(tx, ids).forEach(held -> ack(tx, held, ids)));
    open.acknowledged(ids);
    open.takeDone();
  }

  private void ack(Transaction tx, Held held, SortedIds ids) {
    List<EventId> mine = ids.among(held.claim().ids());
    boolean all = mine.size() == held.claim().ids().size();
    if (!all && open.couldFinish(held.end(), ids)) {
      all = ids.containsAll(claims.left(tx, held));
    }
    if (all) {
      claims.remove(tx, held);
    } else {
      mine.forEach(id -> claims.ack(tx, id));
    }
  }

  /** Acknowledges {@code ids} when {@code tx} commits; those that were still to be. */
  Set<EventId> ack(Transaction tx, SortedIds ids) {
    Set<EventId> acked = new HashSet<>();
    claims.of(tx, ids).forEach(held -> acked.addAll(ackIn(tx, held, ids)));
    open.acknowledged(SortedIds.of(acked));
    return acked;
  }

  /** One event is looked up alone, so that handlers of others of its claim do not conflict. */
  private List<EventId> ackIn(Transaction tx, Held held, SortedIds ids) {
    List<EventId> mine = ids.among(held.claim().ids());
    if (mine.size() == 1) {
      EventId alone = mine.getFirst();
      if (claims.isAcked(tx, alone)) {
        return List.of();
      }
      claims.ack(tx, alone);
      return mine;
    }
    List<EventId> left = claims.left(tx, held);
    List<EventId> acked = ids.among(left);
    if (acked.size() == left.size()) {
      claims.remove(tx, held);
    } else {
      acked.forEach(id -> claims.ack(tx, id));
    }
    return acked;
  }

  /** Removes the rows of claims whose events have all been acknowledged in transactions. */
  void tidy() {
    for (EventId end : open.takeDone()) {
      database.run(
          tx ->
              claims
                  .at(tx, end)
                  .filter(held -> claims.left(tx, held).isEmpty())
                  .ifPresent(held -> claims.remove(tx, held)));
    }
  }
}
