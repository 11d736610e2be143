package dev.tidemark.pulse.internal.kv.stream;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.internal.kv.rows.ClaimRows;
import dev.tidemark.pulse.internal.kv.rows.ClaimRows.Held;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

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
  void ack(Collection<EventId> ids) {
    database.run(tx -> ack(tx, ids));
    open.acknowledged(ids);
    open.takeDone();
  }

  private void ack(Transaction tx, Collection<EventId> ids) {
    TreeSet<EventId> rest = new TreeSet<>(ids);
    while (!rest.isEmpty()) {
      EventId id = rest.first();
      Optional<Held> held = claims.of(tx, id);
      if (held.isEmpty()) {
        rest.remove(id);
      } else {
        List<EventId> mine = held.get().claim().ids().stream().filter(rest::contains).toList();
        ack(tx, held.get(), mine);
        mine.forEach(rest::remove);
      }
    }
  }

  private void ack(Transaction tx, Held held, List<EventId> mine) {
    boolean all = mine.size() == held.claim().ids().size();
    if (!all && open.couldFinish(held.end(), mine)) {
      all = new TreeSet<>(mine).containsAll(claims.left(tx, held));
    }
    if (all) {
      claims.remove(tx, held);
    } else {
      mine.forEach(id -> claims.mark(tx, id));
    }
  }

  /** Acknowledges {@code id} when {@code tx} commits; whether it was still to be. */
  boolean ack(Transaction tx, EventId id) {
    if (claims.of(tx, id).isEmpty() || claims.isMarked(tx, id)) {
      return false;
    }
    claims.mark(tx, id);
    open.acknowledged(List.of(id));
    return true;
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
