package dev.tidemark.records.maintenance;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.Tuple;

/** Something that a {@link Scrubber} found wrong with an index. */
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
   * A row belongs to no record: the record is gone, or the key is not one of the index.
   *
   * @param index the name of the index
   * @param row the stored key
   */
  record Dangling(String index, Key row) implements Finding {}

  /**
   * A row belongs to a record that gives other entries by now.
   *
   * @param index the name of the index
   * @param row the stored key
   * @param primaryKey the record
   */
  record Stale(String index, Key row, Tuple primaryKey) implements Finding {}

  /**
   * A record that the index cannot take: it is too large, or its class refuses it. Delete it or
   * save it in another form.
   *
   * @param index the name of the index
   * @param primaryKey the record
   * @param reason why it cannot be taken
   */
  record Unfit(String index, Tuple primaryKey, String reason) implements Finding {}

  /**
   * A group has another total than its records give together.
   *
   * @param index the name of the index
   * @param group the group
   * @param stored what the index has; empty for no row
   * @param counted what the records give; empty for no row
   */
  record WrongTotal(String index, Tuple group, Tuple stored, Tuple counted) implements Finding {}
}
