package dev.tidemark.pulse.internal.kv.stream;

import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.DeadLetter;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.internal.kv.rows.Claim;
import dev.tidemark.pulse.internal.kv.rows.ClaimRows;
import dev.tidemark.pulse.internal.kv.rows.ClaimRows.Held;
import dev.tidemark.pulse.internal.kv.rows.StoredEvent;
import dev.tidemark.pulse.internal.kv.rows.StreamHead;
import dev.tidemark.pulse.internal.spi.NewEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What becomes of a claim whose time has passed. */
final class TakeOver {
  private final String stream;
  private final ClaimRows claims;
  private final EventScan scan;
  private final int deliveriesMax;

  /** Present where {@code deliveriesMax} is. */
  private final Optional<KvStream> deadLetters;

  TakeOver(
      String stream,
      ClaimRows claims,
      EventScan scan,
      int deliveriesMax,
      Optional<KvStream> deadLetters) {
    this.stream = stream;
    this.claims = claims;
    this.scan = scan;
    this.deliveriesMax = deliveriesMax;
    this.deadLetters = deadLetters;
  }

  /**
   * Gives up to {@code max} events of {@code held} that are not acknowledged to {@code consumer},
   * or all of them to the dead letters if they have been delivered often enough. Events that are no
   * longer in the stream count as acknowledged. Empty if nothing was taken.
   */
  List<StoredEvent> of(
      Transaction tx,
      StreamHead head,
      Held held,
      UUID consumer,
      long until,
      int max,
      boolean walks) {
    int deliveries = held.claim().deliveries();
    List<EventId> left = claims.left(tx, held);
    List<StoredEvent> events = scan.shown(tx, head, left, deliveries + 1, walks);
    if (events.isEmpty()) {
      claims.remove(tx, held);
      return List.of();
    }
    if (deliveriesMax > 0 && deliveries >= deliveriesMax) {
      claims.remove(tx, held);
      events.forEach(event -> bury(tx, event, deliveries));
      return List.of();
    }
    List<StoredEvent> taken = events.subList(0, Math.min(max, events.size()));
    List<EventId> ids = events.stream().map(StoredEvent::id).toList();
    Claim mine = new Claim(consumer, deliveries + 1, until, ids.subList(0, taken.size()));
    List<Held> parts = new ArrayList<>();
    parts.add(new Held(taken.getLast().id(), mine));
    if (taken.size() < ids.size()) {
      parts.add(new Held(held.end(), held.claim().of(ids.subList(taken.size(), ids.size()))));
    }
    claims.replace(tx, held, parts);
    return taken;
  }

  private void bury(Transaction tx, StoredEvent event, int deliveries) {
    DeadLetter letter =
        new DeadLetter(
            stream, event.id(), deliveries, event.name(), event.topic(), event.payload());
    deadLetters.orElseThrow().add(tx, new NewEvent(event.name(), event.topic(), letter.encode()));
  }
}
