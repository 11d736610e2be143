package dev.tidemark.node.internal.meters;

import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.RecordChangeSource;
import dev.tidemark.changes.StartAt;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Subspace;
import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;

/**
 * Follows the change stream of the readings and passes every new one on to the stream that the
 * warehouse is loaded from. The event, the count and the reader's position are one commit, so that
 * a change is passed on exactly once.
 */
final class Follower implements AutoCloseable {
  private static final Key COUNT = Subspace.of("demo", "changes").pack();
  private static final String RUN = "warehouse";
  private static final Duration HEARTBEAT = Duration.ofMillis(500);

  private final EventStream saved;
  private final ChangeReader reader;

  Follower(Database database, Pulse pulse, GridStore grid) {
    this.saved = stream(pulse);
    this.reader =
        ChangeReader.of(
            RecordChangeSource.of(grid.space(), Grid.STREAM),
            MetadataStore.in(database, Subspace.of("demo", "reader")),
            ReaderOptions.forRun(RUN)
                .withStart(StartAt.beginning())
                .withHeartbeat(HEARTBEAT)
                .withBatchSize(500));
    reader.startTransactional(
        (tx, batch) -> {
          for (DataChange change : batch.changes()) {
            pass(tx, change);
          }
        });
  }

  String name() {
    return RUN;
  }

  /** What the warehouse is loaded from. */
  static EventStream stream(Pulse pulse) {
    return pulse.stream("saved", o -> o.keepingAll());
  }

  private void pass(Transaction tx, DataChange change) {
    RecordChangeSource.newRecord(change, Reading_.TYPE)
        .ifPresent(
            reading -> {
              Message message = new Message(reading.meter(), reading.timestamp(), reading.power());
              saved.add(tx, "saved", "", message.toBytes());
              tx.mutate(MutationType.ADD, COUNT, littleEndian(1));
            });
  }

  /** How many changes were passed on, in all runs. */
  static long count(ReadTransaction tx) {
    return tx.get(COUNT)
        .map(bytes -> ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong())
        .orElse(0L);
  }

  private static byte[] littleEndian(long number) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
  }

  @Override
  public void close() {
    reader.close();
  }
}
