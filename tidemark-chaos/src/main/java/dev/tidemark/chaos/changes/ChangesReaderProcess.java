package dev.tidemark.chaos.changes;

import dev.tidemark.changes.ChangeBatch;
import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.EndReason;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.RecordChangeSource;
import dev.tidemark.changes.StartAt;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Parent;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.remote.RemoteDatabase;
import java.time.Duration;

/** A process that shares the reading of {@code chaos changes}, until it is killed. */
final class ChangesReaderProcess {
  static final Duration LEASE = Duration.ofSeconds(2);
  static final Subspace READERS = Subspace.of("readers");
  static final String RUN = "chaos";

  private static final int BATCH_MAX = 100;

  private ChangesReaderProcess() {}

  /** Reads from the store at the address that is the argument. */
  public static void main(String[] args) throws InterruptedException {
    Parent parent = Parent.watch(line -> {});
    try (Database database = RemoteDatabase.connect(args[0]);
        ChangeReader reader =
            ChangeReader.of(
                RecordChangeSource.of(TickStore.open(database).space(), Tick.STREAM),
                MetadataStore.in(database, READERS),
                ReaderOptions.forRun(RUN)
                    .withStart(StartAt.beginning())
                    .withLease(LEASE)
                    .withHeartbeat(Duration.ofMillis(500))
                    .withBatchSize(BATCH_MAX))) {
      reader.startTransactional(ChangesReaderProcess::apply);
      parent.tell(new Message.Opened());
      EndReason reason = reader.await();
      parent.tell(new Message.Complaint("a reader ended by itself: " + reason));
      Thread.currentThread().join();
    }
  }

  private static void apply(Transaction tx, ChangeBatch batch) {
    ChangesEffects effects = new ChangesEffects(tx);
    for (DataChange change : batch.changes()) {
      long id = (long) change.mods().getFirst().keys().get("id").orElseThrow();
      long value = (long) change.mods().getFirst().newValues().get("value").orElseThrow();
      effects.apply(id, value);
    }
  }
}
