package dev.tidemark.coordination;

import dev.tidemark.kv.tuple.Tuple;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Leases by id, as rows: the one place that decides when a lease has ended.
 *
 * <p>A row holds the end of the lease in milliseconds of the store's time, and behind it what the
 * table's owner keeps with it. Each method is a part of a transition and reads and writes only its
 * rows.
 *
 * @param prefix what the keys of the rows begin with; the id follows
 */
public record LeaseTable(Tuple prefix) {
  /** The largest number of leases in a table. */
  public static final int ENTRIES_MAX = 1_000;

  /**
   * A lease.
   *
   * @param id what it is for
   * @param until the last moment of it by the store's time
   * @param about what the owner of the table keeps with it
   */
  public record Entry(String id, Instant until, Tuple about) {
    /** Whether it has ended at {@code now}. */
    public boolean isOver(Instant now) {
      return until.isBefore(now);
    }
  }

  private Entry entry(Rows.Row row) {
    return decode(row.key().getString(prefix.size()), row.value());
  }

  private static Entry decode(String id, byte[] value) {
    Tuple row = Tuple.unpack(value);
    return new Entry(id, Instant.ofEpochMilli(row.getLong(0)), row.subTuple(1, row.size()));
  }

  /** Sets the lease of {@code id}. */
  public void put(Rows rows, String id, Instant until, Tuple about) {
    rows.set(prefix.append(id), Tuple.of(until.toEpochMilli()).concat(about).pack());
  }

  /** Moves the end of the lease of {@code id}; false if there is no such lease. */
  public boolean extend(Rows rows, String id, Instant until) {
    Optional<Entry> found = find(rows, id);
    found.ifPresent(entry -> put(rows, id, until, entry.about()));
    return found.isPresent();
  }

  /** The lease of {@code id}, ended or not. */
  public Optional<Entry> find(Rows rows, String id) {
    return rows.get(prefix.append(id)).map(value -> decode(id, value));
  }

  /** All leases, ended or not; a transition that reads them conflicts with each change of one. */
  public List<Entry> all(Rows rows) {
    return rows.scan(prefix, ENTRIES_MAX).stream().map(this::entry).toList();
  }

  /** All leases, without conflicts: confirm each by {@link #find}. */
  public List<Entry> peek(Rows rows) {
    return rows.peek(prefix, prefix, ENTRIES_MAX).stream().map(this::entry).toList();
  }

  /** Removes the lease of {@code id}, if there is one. */
  public void remove(Rows rows, String id) {
    rows.clear(prefix.append(id));
  }
}
