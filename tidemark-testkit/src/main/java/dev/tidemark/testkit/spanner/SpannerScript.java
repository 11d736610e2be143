package dev.tidemark.testkit.spanner;

import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How a {@link FakeSpanner} answers the queries of a change stream. */
@FunctionalInterface
public interface SpannerScript {
  /**
   * Answers {@code query}; the query ends with the return. When the client comes back after a
   * failure of the connection, the same query is answered once more from its beginning, and the
   * rows that the client has got are left out.
   */
  void answer(Query query, Rows rows) throws InterruptedException;

  /**
   * What a query asks.
   *
   * @param stream the name of the stream
   * @param token the partition; empty for the query of the first ones
   * @param start the first timestamp, included
   * @param end the last timestamp, included
   * @param heartbeat how often an idle partition gives a sign of life
   * @param priority such as {@code PRIORITY_HIGH}
   * @param tag the tag of the request; empty for none
   * @param role the database role that reads; empty for none
   */
  record Query(
      String stream,
      String token,
      Instant start,
      Optional<Instant> end,
      Duration heartbeat,
      String priority,
      String tag,
      String role) {}

  /** The answer to a query. */
  interface Rows {
    /**
     * Sends a record, as PostgreSQL would return it: an object with {@code data_change_record},
     * {@code heartbeat_record} or {@code child_partitions_record}. Waits while the client does not
     * read.
     */
    void record(String json) throws InterruptedException;

    /** Sends records that were made before, as fast as the client reads. */
    void prepared(PreparedRows rows) throws InterruptedException;

    /** Sends a row as a stream of partition mode {@code MUTABLE_KEY_RANGE} has them. */
    void mutableKeyRange() throws InterruptedException;

    /** Waits until the client cancels the query. */
    void hang() throws InterruptedException;

    /** The exception that ends the query with this status. */
    default RuntimeException failure(Status.Code code, String message) {
      return Status.fromCode(code).withDescription(message).asRuntimeException();
    }
  }

  /** A change of the table {@code account} that inserts {@code id} with {@code balance}. */
  static String change(Instant commit, long id, long balance) {
    return """
    {"data_change_record":{"commit_timestamp":"%s","record_sequence":"00000000",
     "server_transaction_id":"tx-%s-%d","is_last_record_in_transaction_in_partition":true,
     "table_name":"account","column_types":[
      {"name":"id","type":{"code":"INT64"},"is_primary_key":true,"ordinal_position":1},
      {"name":"balance","type":{"code":"INT64"},"is_primary_key":false,"ordinal_position":2}],
     "mods":[{"keys":{"id":"%d"},"new_values":{"balance":"%d"},"old_values":{}}],
     "mod_type":"INSERT","value_capture_type":"OLD_AND_NEW_VALUES",
     "number_of_records_in_transaction":1,"number_of_partitions_in_transaction":1,
     "transaction_tag":"","is_system_transaction":false}}
    """
        .formatted(commit, commit, id, id, balance);
  }

  /** A heartbeat. */
  static String heartbeat(Instant time) {
    return "{\"heartbeat_record\":{\"timestamp\":\"%s\"}}".formatted(time);
  }

  /** A child record with one child, whose parents are {@code parents}. */
  static String child(Instant start, String token, String... parents) {
    String names = parents.length == 0 ? "" : "\"" + String.join("\",\"", parents) + "\"";
    return """
    {"child_partitions_record":{"start_timestamp":"%s","record_sequence":"00000000",
     "child_partitions":[{"token":"%s","parent_partition_tokens":[%s]}]}}
    """
        .formatted(start, token, names);
  }
}
