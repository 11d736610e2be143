package dev.tidemark.chaos.records;

import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Parent;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.maintenance.IndexState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A thread that recounts one index after the other beside the writers, each at one version. */
final class ItemReader implements Runnable {
  /** A recount takes about as long; the writers and builders need the rest of the time. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Parent parent;
  private final Database database;
  private final RecordStore<Item> store;
  private final SplittableRandom random;

  ItemReader(Parent parent, Database database, RecordStore<Item> store, SplittableRandom random) {
    this.parent = parent;
    this.database = database;
    this.store = store;
    this.random = random;
  }

  @Override
  public void run() {
    try {
      while (true) {
        Thread.sleep(PAUSE);
        database
            .read(this::recount)
            .forEach(
                problem -> parent.tell(new Message.Complaint("While it is written: " + problem)));
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException unexpected) {
      parent.tell(new Message.Complaint("The reader: " + unexpected));
    }
  }

  private List<String> recount(ReadTransaction tx) {
    List<String> readable =
        store.space().indexes().states(tx).entrySet().stream()
            .filter(index -> index.getValue() == IndexState.READABLE)
            .map(Map.Entry::getKey)
            .toList();
    return new Recount(tx, store).check(readable.get(random.nextInt(readable.size())));
  }
}
