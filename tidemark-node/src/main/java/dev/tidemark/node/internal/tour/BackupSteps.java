package dev.tidemark.node.internal.tour;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.node.internal.tour.Bank.TransferId;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What a backup holds that is taken while others write. */
final class BackupSteps {
  private final Path directory;
  private final DemoSize size;

  BackupSteps(Path directory, DemoSize size) {
    this.directory = directory;
    this.size = size;
  }

  String backupIsOneMoment() throws Exception {
    Path backup = directory.resolve("backup");
    Path copy = directory.resolve("restored");
    long before;
    long after;
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory.resolve("live"))) {
      Bank.open(database);
      AtomicLong done = new AtomicLong();
      CountDownLatch halfway = new CountDownLatch(size.threads() * size.commits() / 2);
      AtomicLong seen = new AtomicLong();
      Together.run(
          size.threads() + 1,
          thread -> {
            if (thread == size.threads()) {
              Proof.that(halfway.await(1, TimeUnit.MINUTES), "transfers go on", done);
              seen.set(done.get());
              database.backup(backup);
            } else {
              transfers(database, thread, done, halfway);
            }
          });
      before = seen.get();
      after = done.get();
    }
    EmbeddedDatabase.restore(backup, copy);
    try (EmbeddedDatabase restored = EmbeddedDatabase.open(copy)) {
      restored.verify();
      long transfers = Bank.audit(restored).transfers().size();
      Proof.that(
          before <= transfers && transfers <= after,
          "the backup holds what was done before it and nothing from after it",
          before,
          transfers,
          after);
      return String.format(
          Locale.ROOT,
          "taken while %d threads wrote, restored and verified: %,d of %,d transfers, every balance"
              + " right",
          size.threads(),
          transfers,
          after);
    }
  }

  private void transfers(
      EmbeddedDatabase database, int thread, AtomicLong done, CountDownLatch halfway) {
    SplittableRandom random = new SplittableRandom(thread);
    for (int i = 0; i < size.commits(); i++) {
      Bank.transfer(database, random, new TransferId(0, thread, i));
      done.incrementAndGet();
      halfway.countDown();
    }
  }
}
