package dev.tidemark.records.maintenance;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Tuple;

/** An error in an index that a {@link Scrubber} found. */
public sealed interface Finding {
  /** The name of the index. */
  String index();

  /**
   * A record lacks an entry.
   *
   * @param index the name of the index
   * @param entry the key of the entry in the index
   * @param primaryKey the record
   */
  record Missing(String index, Tuple entry, Tuple primaryKey) implements Finding {}

  /**
   * An entry has other covering values than its record.
   *
   * @param index the name of the index
   * @param entry the key of the entry in the index
   * @param primaryKey the record
   */
  record WrongValue(String index, Tuple entry, Tuple primaryKey) implements Finding {}

  /**
   * A row belongs to no record: the record no longer exists, or the index cannot have made the key.
   *
   * @param index the name of the index
   * @param row the stored key
   */
  record Dangling(String index, Key row) implements Finding {}

  /**
   * A row belongs to a record that has other entries now.
   *
   * @param index the name of the index
   * @param row the stored key
   * @param primaryKey the record
   */
  record Stale(String index, Key row, Tuple primaryKey) implements Finding {}

  /**
   * A record that the index cannot hold: it is too large, or its class refuses it. Delete it or
   * change it.
   *
   * @param index the name of the index
   * @param primaryKey the record
   * @param reason why the index cannot hold it
   */
  record Unfit(String index, Tuple primaryKey, String reason) implements Finding {}

  /**
   * A group has another total than its records add up to.
   *
   * @param index the name of the index
   * @param group the group
   * @param stored the stored total; empty for no row
   * @param counted the total of the records; empty for no row
   */
  record WrongTotal(String index, Tuple group, Tuple stored, Tuple counted) implements Finding {}
}
