package dev.tidemark.chaos.records;

import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Parent;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.records.RecordStore;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The process of {@code chaos records} that is killed: it writes items, builds their indexes and
 * recounts them, on a database whose commits fail now and then.
 */
final class ItemChild {
  private static final double FAULTS = 0.1;
  private static final Set<Fault> UNKNOWN =
      EnumSet.of(Fault.UNKNOWN_COMMITTED, Fault.UNKNOWN_NOT_COMMITTED, Fault.UNKNOWN_ON_ITS_WAY);

  private final Parent parent = Parent.watch(line -> {});
  private final Path directory;
  private final SplittableRandom random;

  private ItemChild(Path directory, long seed) {
    this.directory = directory;
    this.random = new SplittableRandom(seed);
  }

  static ChildProcess start(Workspace workspace, Path directory, long seed) {
    return ChildProcess.start(
        workspace, "items", ItemChild.class, List.of(directory.toString(), Long.toString(seed)));
  }

  /** Runs until it is killed. */
  public static void main(String[] args) throws InterruptedException {
    new ItemChild(Path.of(args[0]), Long.parseLong(args[1])).work();
  }

  private void work() throws InterruptedException {
    FaultyDatabase database = FaultyDatabase.over(EmbeddedDatabase.open(directory), faults());
    RecordStore<Item> store = Items.open(database);
    for (int number = 0; number < Items.WRITERS; number++) {
      Thread.ofPlatform().start(new ItemWriter(parent, database, store, number, random.split()));
    }
    Thread.ofPlatform().start(new ItemReader(parent, database, store, random.split()));
    Thread.ofPlatform().start(new ItemIndexer(parent, store, random.split()));
    Thread.currentThread().join();
  }

  private FaultPlan faults() {
    FaultPlan plan = FaultPlan.random(random.nextLong(), FAULTS, Fault.values());
    return commit -> {
      Optional<Fault> fault = plan.at(commit);
      if (fault.filter(UNKNOWN::contains).isPresent()) {
        parent.tell(new Message.Unknown());
      }
      return fault;
    };
  }
}
