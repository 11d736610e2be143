package dev.tidemark.pulse.internal.kv.rows;

import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.EventId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/*
 * Claims of a group cover pieces of the stream that do not overlap: each new one begins behind the
 * cursor, and taking one over changes or splits it in its place. A claim's row is keyed by an id that
 * is not before any of its events and before all events of the next claim. So the claim of an event
 * is the first row from its id on, and the acknowledgements of a claim are one range.
 */

/** The claims of a group, and which of their events are acknowledged. */
public final class ClaimRows {
  private static final byte[] NOTHING = {};

  private final GroupSpace space;

  public ClaimRows(GroupSpace space) {
    this.space = space;
  }

  /**
   * A claim in its row.
   *
   * @param end what the row is keyed by
   */
  public record Held(EventId end, Claim claim) {}

  /** The first claim that can have {@code id} or a later one. With a conflict if it changes. */
  private Optional<Held> from(Transaction tx, EventId id) {
    return tx.scan(space.claimsFrom(id)).limit(1).first().map(this::held);
  }

  /**
   * The claims that have some of {@code ids}, each read once however many it has. With a conflict
   * if they change.
   */
  public List<Held> of(Transaction tx, SortedIds ids) {
    List<Held> found = new ArrayList<>();
    EventId next = ids.first();
    while (next != null) {
      Optional<Held> held = from(tx, next);
      held.filter(each -> each.claim().ids().stream().anyMatch(ids::contains))
          .ifPresent(found::add);
      // What lies before the end of a claim and is not in it has none.
      next = held.map(each -> ids.higher(each.end())).orElse(null);
    }
    return found;
  }

  /**
   * The claims of {@code consumer} that have some of {@code ids}. With a conflict if they change.
   */
  public List<Held> of(Transaction tx, UUID consumer, SortedIds ids) {
    return of(tx, ids).stream().filter(held -> held.claim().consumer().equals(consumer)).toList();
  }

  private Held held(KeyValue row) {
    return new Held(space.claimEnd(row.key()), Claim.decode(row.value()));
  }

  /** The claim in the row of {@code end}. With a conflict if it changes. */
  public Optional<Held> at(Transaction tx, EventId end) {
    return tx.get(space.claim(end)).map(value -> new Held(end, Claim.decode(value)));
  }

  public void put(Transaction tx, Held held) {
    tx.set(space.claim(held.end()), held.claim().encode());
    tx.set(space.due(held.claim().until(), held.end()), NOTHING);
  }

  /** Replaces {@code old}, and forgets which of its events are acknowledged. */
  public void replace(Transaction tx, Held old, List<Held> parts) {
    remove(tx, old);
    parts.forEach(part -> put(tx, part));
  }

  /** Removes a claim with its acknowledgements. */
  public void remove(Transaction tx, Held held) {
    tx.clear(space.claim(held.end()));
    tx.clear(space.due(held.claim().until(), held.end()));
    tx.clear(space.acks(held.claim().first(), held.end()));
  }

  /**
   * Moves the time at which those of {@code ids} can be taken over that {@code held} has and that
   * are not acknowledged. The claim falls into parts where others stay as they are; the result is
   * all parts.
   */
  public List<Held> renew(Transaction tx, Held held, Set<EventId> ids, long until) {
    List<EventId> left = left(tx, held);
    if (ids.containsAll(left)) {
      // The claim stays as it is, with its acknowledgements.
      tx.clear(space.due(held.claim().until(), held.end()));
      Held renewed = new Held(held.end(), held.claim().renewed(until));
      put(tx, renewed);
      return List.of(new Held(held.end(), renewed.claim().of(left)));
    }
    List<Held> parts = parts(held, left, ids, (mine, part) -> mine ? part.renewed(until) : part);
    replace(tx, held, parts);
    return parts;
  }

  /**
   * Gives those of {@code ids} back that {@code held} has and that are not acknowledged. The claim
   * falls into parts where some events go and others stay; those that stay are the result.
   */
  public List<Held> giveBack(Transaction tx, Held held, Set<EventId> ids, long now) {
    List<Held> parts =
        parts(held, left(tx, held), ids, (goes, part) -> goes ? part.givenBack(now) : part);
    replace(tx, held, parts);
    return parts.stream().filter(part -> !ids.contains(part.claim().first())).toList();
  }

  /** What becomes of a part of a claim, by whether its events are among those that were named. */
  private interface Change {
    Claim of(boolean named, Claim part);
  }

  /** The runs of {@code left} that are among {@code ids} and those that are not, in turns. */
  private static List<Held> parts(Held held, List<EventId> left, Set<EventId> ids, Change change) {
    List<Held> parts = new ArrayList<>();
    int begin = 0;
    for (int i = 1; i <= left.size(); i++) {
      boolean named = ids.contains(left.get(begin));
      if (i == left.size() || ids.contains(left.get(i)) != named) {
        List<EventId> part = left.subList(begin, i);
        EventId end = i == left.size() ? held.end() : part.getLast();
        parts.add(new Held(end, change.of(named, held.claim().of(part))));
        begin = i;
      }
    }
    return parts;
  }

  public boolean isAcked(Transaction tx, EventId id) {
    return tx.get(space.ack(id)).isPresent();
  }

  public void ack(Transaction tx, EventId id) {
    tx.set(space.ack(id), NOTHING);
  }

  /** The events of {@code held} that are not acknowledged. With a conflict if one is. */
  public List<EventId> left(Transaction tx, Held held) {
    Set<EventId> acked = new HashSet<>();
    for (KeyValue ack : tx.scan(space.acks(held.claim().first(), held.end()))) {
      acked.add(space.acked(ack.key()));
    }
    return held.claim().ids().stream().filter(id -> !acked.contains(id)).toList();
  }
}
