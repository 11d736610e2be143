package dev.tidemark.chaos.records;

import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Parent;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.maintenance.BuildOptions.Start;
import dev.tidemark.records.maintenance.OnlineIndexer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A thread that goes on with builds that were cut off, and then builds indexes anew for ever. */
final class ItemIndexer implements Runnable {
  private static final int TOGETHER_MAX = 5;
  private static final int WORKERS_MAX = 3;
  private static final int[] RECORDS_PER_TRANSACTION = {10, 50, 200, 1_000};

  private final Parent parent;
  private final RecordStore<Item> store;
  private final SplittableRandom random;

  ItemIndexer(Parent parent, RecordStore<Item> store, SplittableRandom random) {
    this.parent = parent;
    this.store = store;
    this.random = random;
  }

  @Override
  public void run() {
    try {
      List<String> unfinished = Items.unfinished(store);
      if (!unfinished.isEmpty()) {
        build(unfinished, Start.RESUME);
      }
      while (true) {
        build(draw(), Start.ANEW);
      }
    } catch (RuntimeException unexpected) {
      parent.tell(new Message.Complaint("The builder of indexes: " + unexpected));
    }
  }

  private List<String> draw() {
    List<String> all = new ArrayList<>(Items.builtAnew());
    List<String> drawn = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(TOGETHER_MAX); i++) {
      drawn.add(all.remove(random.nextInt(all.size())));
    }
    return drawn;
  }

  private void build(List<String> indexes, Start start) {
    int records = RECORDS_PER_TRANSACTION[random.nextInt(RECORDS_PER_TRANSACTION.length)];
    int workers = 1 + random.nextInt(WORKERS_MAX);
    try (OnlineIndexer indexer =
        OnlineIndexer.of(
            store.space(),
            options ->
                options
                    .withIndexes(indexes.toArray(String[]::new))
                    .withStart(start)
                    .withWorkers(workers)
                    .withRecordsPerTransaction(records))) {
      indexer.build();
    }
    parent.tell(new Message.Built(start == Start.RESUME));
  }
}
