package dev.tidemark.changes.spanner;

import dev.tidemark.changes.ChangeBatch;
import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.StartAt;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.remote.RemoteDatabase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;

/**
 * A process that shares a run until it is killed or its parent is gone. Each change is counted, and
 * compared with the last one of its key, in the transaction that stores the position.
 */
final class SharingProcess {
  static final String DATABASE = "projects/p/instances/i/databases/d";
  static final Subspace COUNTS = Subspace.of("effects", "counts");
  static final Subspace LAST = Subspace.of("effects", "last");
  static final Subspace INVERSIONS = Subspace.of("effects", "inversions");
  static final Duration LEASE = Duration.ofSeconds(2);

  private SharingProcess() {}

  /** Reads from the service at the first address into the store at the second. */
  public static void main(String[] arguments) throws InterruptedException {
    Thread.ofPlatform().daemon().start(SharingProcess::endWithTheParent);
    try (Database store = RemoteDatabase.connect(arguments[1]);
        SpannerChanges changes =
            SpannerChanges.open(
                SpannerChangesOptions.forStream(DATABASE, "ledger")
                    .withEmulator(arguments[0])
                    .withPartitions(50));
        ChangeReader reader =
            changes.reader(
                ReaderOptions.forRun("shared")
                    .withStart(StartAt.time(Instant.parse(arguments[2])))
                    .withLease(LEASE)
                    .withHeartbeat(Duration.ofMillis(200)),
                MetadataStore.in(store, Subspace.of("readers")))) {
      reader.startTransactional(SharingProcess::apply);
      System.out.println("reading");
      System.out.println("ended: " + reader.await());
    }
  }

  private static void endWithTheParent() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is said to this process.
      }
    } catch (IOException gone) {
      System.err.println("The parent is gone: " + gone);
    }
    Runtime.getRuntime().halt(1);
  }

  private static void apply(Transaction tx, ChangeBatch batch) {
    for (DataChange change : batch.changes()) {
      long key = (long) change.mods().getFirst().keys().get("id").orElseThrow();
      long value = (long) change.mods().getFirst().newValues().get("balance").orElseThrow();
      tx.mutate(MutationType.ADD, COUNTS.pack(key, value), bytes(1));
      if (value <= tx.get(LAST.pack(key)).map(SharingProcess::number).orElse(0L)) {
        tx.mutate(MutationType.ADD, INVERSIONS.pack(key, value), bytes(1));
      } else {
        tx.set(LAST.pack(key), bytes(value));
      }
    }
  }

  static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
  }

  static long number(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }
}
