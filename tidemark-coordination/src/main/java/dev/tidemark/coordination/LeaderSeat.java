package dev.tidemark.coordination;

import dev.tidemark.kv.tuple.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The leadership as a row: the leader, its term, the end of its lease. Each method is a transition
 * or a part of one.
 *
 * <p>The row stays when there is no leader, so that no term is used twice.
 */
public final class LeaderSeat {
  private final LeaseTable table;
  private final String name;
  private final Duration length;

  /**
   * Who leads, or led last.
   *
   * @param term counts the leaders
   * @param holder the candidate that was elected
   * @param until the end of its lease by the store's time
   */
  public record Holder(long term, String holder, Instant until) {
    /** Whether its lease has ended at {@code now}, so that another can be elected. */
    public boolean isOver(Instant now) {
      return until.isBefore(now);
    }
  }

  /**
   * The seat {@code name} in rows whose keys begin with {@code prefix}.
   *
   * @param length how long a lease lasts in the store
   */
  public LeaderSeat(Tuple prefix, String name, Duration length) {
    this.table = new LeaseTable(prefix);
    this.name = name;
    this.length = length;
  }

  /** What it is called. */
  public String name() {
    return name;
  }

  /** How long a lease lasts in the store. */
  public Duration length() {
    return length;
  }

  /** The channel that is woken when the seat changes hands. */
  public String channel() {
    return "leader-" + name;
  }

  /** The leader, or the last one; empty if there never was one. */
  public Optional<Holder> holder(Rows rows) {
    return table
        .find(rows, name)
        .map(row -> new Holder(row.about().getLong(0), row.about().getString(1), row.until()));
  }

  /**
   * Elects {@code candidate} if there is no leader at {@code now}; returns its term. A candidate
   * that led before and has come back waits for the end of its own lease like any other.
   */
  public Optional<Long> campaign(Rows rows, String candidate, Instant now) {
    Optional<Holder> known = holder(rows);
    Instant until = now.plus(length).truncatedTo(ChronoUnit.MILLIS);
    if (known.isPresent() && !known.get().isOver(now)) {
      return known.filter(held -> isOwn(held, candidate, until)).map(Holder::term);
    }
    long term = known.map(Holder::term).orElse(0L) + 1;
    put(rows, term, candidate, until);
    rows.wake(channel(), RowStore.NO_HINT);
    return Optional.of(term);
  }

  /** Whether it comes from an earlier attempt of the same transition, whose result was unknown. */
  private static boolean isOwn(Holder held, String candidate, Instant until) {
    return held.holder().equals(candidate) && held.until().equals(until);
  }

  private void put(Rows rows, long term, String holder, Instant until) {
    table.put(rows, name, until, Tuple.of(term, holder));
  }

  /** Renews the lease of {@code term}; false if there is a later one. */
  public boolean renew(Rows rows, long term, Instant now) {
    Optional<Holder> current = holder(rows).filter(known -> known.term() == term);
    current.ifPresent(known -> put(rows, term, known.holder(), now.plus(length)));
    return current.isPresent();
  }

  /** Ends the lease of {@code term} at once, if there is no later one. */
  public void resign(Rows rows, long term) {
    Optional<Holder> current = holder(rows).filter(known -> known.term() == term);
    if (current.isPresent()) {
      put(rows, term, current.get().holder(), Instant.EPOCH);
      rows.wake(channel(), RowStore.NO_HINT);
    }
  }

  /**
   * The fence: lets a transition pass only if no later term than {@code term} has begun, and makes
   * it conflict with the begin of one.
   *
   * @throws FencedException if there is a later term
   */
  public void check(Rows rows, long term) {
    Optional<Holder> known = holder(rows);
    if (known.isEmpty() || known.get().term() != term) {
      throw new FencedException(
          "Term %d of the leader '%s' is over: %s. Nothing was written; stop the work of this term"
              .formatted(
                  term,
                  name,
                  known
                      .map(now -> "%s leads in term %d".formatted(now.holder(), now.term()))
                      .orElse("its row is gone")));
    }
  }
}
