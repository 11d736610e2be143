package dev.tidemark.pulse.internal.kv.rows;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.EventId;
import java.util.UUID;

/** Where the rows of one group of a stream are. */
public final class GroupSpace {
  private static final int SETTINGS = 0;
  private static final int CURSOR = 1;
  private static final int CLAIMS = 2;
  private static final int DUE = 3;
  private static final int ACKS = 4;
  private static final int ALIVE = 5;

  private final Key settings;
  private final Key cursor;
  private final Subspace claims;
  private final Subspace due;
  private final Subspace acks;
  private final Subspace alive;

  public GroupSpace(Subspace all) {
    this.settings = all.pack(SETTINGS);
    this.cursor = all.pack(CURSOR);
    this.claims = all.sub(CLAIMS);
    this.due = all.sub(DUE);
    this.acks = all.sub(ACKS);
    this.alive = all.sub(ALIVE);
  }

  /** What all instances share: the grace and other terms. */
  public Key settings() {
    return settings;
  }

  /** Says until when the instance {@code consumer} counts as alive. */
  public Key alive(UUID consumer) {
    return alive.pack(consumer);
  }

  public KeyRange alive() {
    return alive.range();
  }

  /** The id up to which everything has been claimed. */
  public Key cursor() {
    return cursor;
  }

  /** The claim that ends with {@code last}. */
  Key claim(EventId last) {
    return claims.pack(EventIds.stamp(last));
  }

  /** Where the claim of {@code id} is the first row: claims do not overlap. */
  KeyRange claimsFrom(EventId id) {
    return KeyRange.of(claim(id), claims.range().end());
  }

  EventId claimEnd(Key claim) {
    return EventIds.of(claims.unpack(claim).getVersionstamp(0));
  }

  /** Says when the claim that ends with {@code last} can be taken over. */
  Key due(long micros, EventId last) {
    return due.pack(micros, EventIds.stamp(last));
  }

  public KeyRange dueUntil(long micros) {
    return KeyRange.of(due.range().begin(), due.pack(micros + 1));
  }

  public long dueTime(Key key) {
    return due.unpack(key).getLong(0);
  }

  public EventId dueClaim(Key key) {
    return EventIds.of(due.unpack(key).getVersionstamp(1));
  }

  /** Says that the event {@code id} of a claim is acknowledged. */
  Key ack(EventId id) {
    return acks.pack(EventIds.stamp(id));
  }

  /** The acknowledgements of the events from {@code first} to {@code last}. */
  KeyRange acks(EventId first, EventId last) {
    return KeyRange.of(ack(first), ack(last).next());
  }

  /** The event that a row of {@link #ack} is about. */
  EventId acked(Key ack) {
    return EventIds.of(acks.unpack(ack).getVersionstamp(0));
  }
}
