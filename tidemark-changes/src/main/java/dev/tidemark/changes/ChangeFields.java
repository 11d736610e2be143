package dev.tidemark.changes;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Changes as what programs print: the fields under the names of Cloud Spanner, and lines. */
public final class ChangeFields {
  private ChangeFields() {}

  /**
   * All fields of {@code change}, and its position.
   *
   * @param token the partition that returned it
   */
  public static Map<String, Object> of(String token, DataChange change) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("position", change.position().toString());
    fields.put("partition_token", token);
    fields.put("commit_timestamp", change.commitTimestamp().toString());
    fields.put("record_sequence", change.recordSequence());
    fields.put("server_transaction_id", change.serverTransactionId());
    fields.put("is_last_record_in_transaction_in_partition", change.lastInTransactionInPartition());
    fields.put("table_name", change.table());
    fields.put("column_types", change.columnTypes().stream().map(ChangeFields::of).toList());
    fields.put("mods", change.mods().stream().map(ChangeFields::of).toList());
    fields.put("mod_type", change.modType().text());
    fields.put("value_capture_type", change.captureType().text());
    fields.put("number_of_records_in_transaction", change.recordsInTransaction());
    fields.put("number_of_partitions_in_transaction", change.partitionsInTransaction());
    fields.put("transaction_tag", change.transactionTag());
    fields.put("is_system_transaction", change.systemTransaction());
    return fields;
  }

  /**
   * A line for each changed row, for people: position and time, what happened, and the values.
   *
   * @param json writes values as JSON
   */
  public static List<String> lines(
      DataChange change, Function<Map<String, @Nullable Object>, String> json) {
    return change.mods().stream()
        .map(
            mod ->
                "%s  %s  %-6s %s %s%s%s"
                    .formatted(
                        change.position(),
                        change.commitTimestamp(),
                        change.modType(),
                        change.table(),
                        json.apply(mod.keys().asMap()),
                        labelled(" new ", mod.newValues(), json),
                        labelled(" old ", mod.oldValues(), json)))
        .toList();
  }

  private static String labelled(
      String label, Values values, Function<Map<String, @Nullable Object>, String> json) {
    return values.isEmpty() ? "" : label + json.apply(values.asMap());
  }

  private static Map<String, Object> of(DataChange.ColumnType column) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", column.name());
    fields.put("type", column.type());
    fields.put("is_primary_key", column.primaryKey());
    fields.put("ordinal_position", column.ordinal());
    return fields;
  }

  private static Map<String, Map<String, @Nullable Object>> of(Mod mod) {
    Map<String, Map<String, @Nullable Object>> fields = new LinkedHashMap<>();
    fields.put("keys", mod.keys().asMap());
    fields.put("new_values", mod.newValues().asMap());
    fields.put("old_values", mod.oldValues().asMap());
    return fields;
  }
}
