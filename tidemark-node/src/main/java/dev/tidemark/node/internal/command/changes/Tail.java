package dev.tidemark.node.internal.command.changes;

import dev.tidemark.changes.ChangeFields;
import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.EndReason;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.OrderMode;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Format;
import dev.tidemark.node.internal.console.Json;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

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
    if (format.json()) {
      console.line(json(ChangeFields.of(token, change)));
    } else {
      ChangeFields.lines(change, Tail::json).forEach(console::line);
    }
  }

  private static String json(Map<String, ?> values) {
    return Json.of(Json.plain(values));
  }
}
