package dev.tidemark.changes.guide;

import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.RecordChangeSource;
import dev.tidemark.changes.StartAt;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.Schema;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A program that saves records and follows their changes at the same time, and tells its memory
 * after each tenth of them.
 */
final class LongRead {
  private static final int TENTHS = 10;
  private static final int SAVES_PER_COMMIT = 500;
  private static final int AHEAD_MAX = 50_000;

  private LongRead() {}

  /** Reads as many changes as the second argument says, in the directory of the first. */
  public static void main(String[] arguments) throws Exception {
    long wanted = Long.parseLong(arguments[1]);
    AtomicLong read = new AtomicLong();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    try (EmbeddedDatabase database =
        EmbeddedDatabase.open(Path.of(arguments[0]), o -> o.withSync(false))) {
      RecordSpace space =
          RecordSpace.open(
              database,
              Schema.of(1, List.of(Account_.TYPE), List.of())
                  .withStreams(ChangeStreamSpec.of("ledger")),
              Subspace.of("shop"));
      RecordStore<Account> accounts = space.store(Account_.TYPE);
      Thread writer =
          Thread.ofVirtual()
              .uncaughtExceptionHandler((thread, thrown) -> failure.set(thrown))
              .start(() -> write(database, accounts, wanted, read));
      try (ChangeReader reader =
          ChangeReader.of(
              RecordChangeSource.of(space, "ledger"),
              MetadataStore.in(database, Subspace.of("readers")),
              ReaderOptions.forRun("long").withStart(StartAt.beginning()))) {
        reader.startBatches(batch -> read.addAndGet(batch.changes().size()));
        for (int tenth = 1; tenth <= TENTHS; tenth++) {
          while (read.get() < wanted * tenth / TENTHS) {
            if (failure.get() != null || reader.endReason().isPresent()) {
              throw new IllegalStateException("It ended: " + reader.endReason(), failure.get());
            }
            Thread.sleep(5);
          }
          System.gc();
          Runtime runtime = Runtime.getRuntime();
          System.out.printf(
              "%d changes, %d kB%n",
              read.get(), (runtime.totalMemory() - runtime.freeMemory()) >> 10);
        }
      }
      writer.join();
    }
  }

  /** Saves go around over few records, so that the store stays small and its log grows. */
  private static void write(
      EmbeddedDatabase database, RecordStore<Account> accounts, long wanted, AtomicLong read) {
    try {
      for (long from = 0; from < wanted; from += SAVES_PER_COMMIT) {
        while (from - read.get() > AHEAD_MAX) {
          Thread.sleep(1);
        }
        long first = from;
        database.run(
            tx -> {
              for (long i = first; i < Math.min(wanted, first + SAVES_PER_COMMIT); i++) {
                accounts.save(tx, new Account(i % 20_000, "Ada", i));
              }
            });
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }
}
