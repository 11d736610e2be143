package dev.tidemark.bench.records;

import dev.tidemark.bench.measure.Contestant;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * A store with a given number of users and three indexes, one of them unique; changes of users are
 * saved.
 */
public final class UserGrowth implements AutoCloseable {
  private static final int LOAD_USERS = 1_000;
  private static final int SAVE_USERS = 10;

  private final RecordTable table;
  private final Users users;

  /** A store in {@code directory} with {@code size} users, loaded a thousand in a commit. */
  public UserGrowth(Path directory, int size) {
    this.table = new RecordTable(directory);
    this.users = new Users(size);
    for (int from = 0; from < size; from += LOAD_USERS) {
      table.save(users.initial(from, LOAD_USERS));
    }
  }

  /** Saves users at random with other cities and ages, ten in a commit; each commit counts. */
  public Contestant saves() {
    SplittableRandom random = new SplittableRandom(7);
    return Contestant.loop(() -> table.save(users.changed(random, SAVE_USERS)));
  }

  @Override
  public void close() {
    table.close();
  }
}
