package dev.tidemark.chaos.records;

import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Parent;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.records.RecordStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * One thread that inserts, changes, moves and deletes items of its own, some in a commit, and tells
 * its parent of every commit that it knows to be there.
 */
final class ItemWriter implements Runnable {
  private static final int STEPS_MAX = 3;
  private static final int DELETES_IN_TEN = 2;
  private static final int MOVES_IN_TEN = 3;

  private final Parent parent;
  private final Database database;
  private final RecordStore<Item> store;
  private final int number;
  private final SplittableRandom random;

  ItemWriter(
      Parent parent,
      Database database,
      RecordStore<Item> store,
      int number,
      SplittableRandom random) {
    this.parent = parent;
    this.database = database;
    this.store = store;
    this.number = number;
    this.random = random;
  }

  @Override
  public void run() {
    try {
      long told = database.read(tx -> Journal.last(tx, number));
      while (true) {
        commit(++told);
      }
    } catch (RuntimeException unexpected) {
      parent.tell(new Message.Complaint("Writer %d: %s".formatted(number, unexpected)));
    }
  }

  private void commit(long sequence) {
    long seed = random.nextLong();
    // Whatever becomes of a commit, run finds out by itself; nothing here would stop a second one.
    database.run(tx -> work(tx, sequence, new SplittableRandom(seed)));
    Optional<Journal.Line> line = database.read(tx -> Journal.line(tx, number, sequence));
    if (line.isEmpty()) {
      throw new IllegalStateException(
          "the commit %d succeeded and is not there".formatted(sequence));
    }
    parent.tell(new Message.Acknowledged(number, sequence, line.get().stamp()));
  }

  /** Does the same each time that it is tried with the same random numbers and items. */
  private void work(Transaction tx, long sequence, SplittableRandom drawn) {
    TreeSet<Long> ids = new TreeSet<>();
    for (int i = 0; i <= drawn.nextInt(STEPS_MAX); i++) {
      ids.add(number + (long) Items.WRITERS * drawn.nextInt(Items.OF_EACH_WRITER));
    }
    List<Journal.Step> steps = new ArrayList<>();
    for (long id : ids) {
      steps.add(step(tx, id, drawn));
    }
    Journal.write(tx, number, sequence, steps);
  }

  private Journal.Step step(Transaction tx, long id, SplittableRandom drawn) {
    Optional<Item> before = store.load(tx, id);
    int chance = drawn.nextInt(10);
    if (before.isEmpty()) {
      return new Journal.Step.Saved(store.insert(tx, Item.draw(id, drawn)));
    }
    if (chance < DELETES_IN_TEN) {
      store.delete(tx, id);
      return new Journal.Step.Deleted(id);
    }
    Item after =
        chance < DELETES_IN_TEN + MOVES_IN_TEN ? before.get().moved(drawn) : Item.draw(id, drawn);
    return new Journal.Step.Saved(store.update(tx, after));
  }
}
