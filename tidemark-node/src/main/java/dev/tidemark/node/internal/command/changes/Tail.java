package dev.tidemark.node.internal.command.changes;

import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.EndReason;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.Mod;
import dev.tidemark.changes.OrderMode;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.Values;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Format;
import dev.tidemark.node.internal.console.Json;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints changes, one a line, until its end is reached or enough were printed. */
final class Tail {
  /** What a served store may lag behind while others write to other partitions. */
  private static final Duration HEARTBEAT = Duration.ofMillis(200);

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ChangeSource source;
  private final TailOptions args;
  private final boolean served;
  private final Format format;
  private final Console console;

  Tail(ChangeSource source, TailOptions args, boolean served, Format format, Console console) {
    this.source = source;
    this.args = args;
    this.served = served;
    this.format = format;
    this.console = console;
  }

  void run() throws InterruptedException {
    ReaderOptions options =
        ReaderOptions.forRun("tail")
            .withStart(args.from())
            .withOrder(OrderMode.COMMIT_TIMESTAMP)
            .withHeartbeat(HEARTBEAT);
    options = args.until(source, served).map(options::withEnd).orElse(options);
    long limit = args.limit();
    CountDownLatch enough = new CountDownLatch(1);
    MetadataStore memory = MetadataStore.inMemory(TimeSource.system());
    try (ChangeReader reader = ChangeReader.of(source, memory, options)) {
      long[] printed = new long[1];
      reader.start(
          delivery -> {
            if (printed[0] < limit) {
              print(delivery.token(), delivery.change());
              printed[0]++;
            }
            if (printed[0] >= limit) {
              enough.countDown();
            }
          });
      while (reader.endReason().isEmpty() && enough.getCount() > 0) {
        if (enough.await(50, TimeUnit.MILLISECONDS)) {
          reader.stop(PATIENCE);
        }
      }
      if (reader.endReason().orElse(null) instanceof EndReason.Failed failed) {
        throw new IllegalStateException(
            String.valueOf(failed.cause().getMessage()), failed.cause());
      }
    }
  }

  private void print(String token, DataChange change) {
    console.line(format.json() ? Json.of(object(token, change)) : line(change));
  }

  private static String line(DataChange change) {
    return change.mods().stream()
        .map(
            mod ->
                "%s  %s  %-6s %s %s%s%s"
                    .formatted(
                        change.position(),
                        change.commitTimestamp(),
                        change.modType(),
                        change.table(),
                        Json.of(object(mod.keys())),
                        mod.newValues().isEmpty() ? "" : " new " + Json.of(object(mod.newValues())),
                        mod.oldValues().isEmpty()
                            ? ""
                            : " old " + Json.of(object(mod.oldValues()))))
        .collect(Collectors.joining("\n"));
  }

  /** All fields of a change, by the names that Cloud Spanner gives them. */
  private static Map<String, @Nullable Object> object(String token, DataChange change) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    object.put("position", change.position());
    object.put("partition_token", token);
    object.put("commit_timestamp", change.commitTimestamp());
    object.put("record_sequence", change.recordSequence());
    object.put("server_transaction_id", change.serverTransactionId());
    object.put("is_last_record_in_transaction_in_partition", change.lastInTransactionInPartition());
    object.put("table_name", change.table());
    object.put("mod_type", change.modType());
    object.put("value_capture_type", change.captureType());
    object.put("mods", change.mods().stream().map(Tail::object).toList());
    object.put("number_of_records_in_transaction", change.recordsInTransaction());
    object.put("number_of_partitions_in_transaction", change.partitionsInTransaction());
    object.put("transaction_tag", change.transactionTag());
    object.put("is_system_transaction", change.systemTransaction());
    return object;
  }

  private static Map<String, @Nullable Object> object(Mod mod) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    object.put("keys", object(mod.keys()));
    object.put("new_values", object(mod.newValues()));
    object.put("old_values", object(mod.oldValues()));
    return object;
  }

  private static Map<String, @Nullable Object> object(Values values) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    values.asMap().forEach((name, value) -> object.put(name, Json.plain(value)));
    return object;
  }
}
