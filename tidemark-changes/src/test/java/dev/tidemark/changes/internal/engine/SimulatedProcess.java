package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.Delivery;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.OrderMode;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.internal.delivery.Call;
import dev.tidemark.changes.internal.delivery.Calls;
import dev.tidemark.changes.internal.delivery.Gate;
import dev.tidemark.changes.internal.delivery.Outlet;
import dev.tidemark.changes.internal.delivery.Outlets;
import dev.tidemark.changes.internal.partition.Run;
import dev.tidemark.kv.DatabaseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;

/** One process of a simulation: an engine without threads, whose every step is chosen by chance. */
final class SimulatedProcess {
  private final SplittableRandom random;
  private final Oracle oracle;
  private final ReaderOptions options;
  private final Engine engine;
  private final List<Runnable> tasks = new ArrayList<>();
  private final List<Delivery> handed = new ArrayList<>();
  private final List<PartitionSession> sessions = new ArrayList<>();

  SimulatedProcess(
      String member,
      ChangeSource source,
      MetadataStore store,
      ReaderOptions options,
      Oracle oracle,
      SplittableRandom random) {
    this.random = random;
    this.oracle = oracle;
    this.options = options;
    Run run =
        Run.open(
            store,
            source,
            options.run(),
            member,
            source.earliest(),
            options.end().map(source::until));
    ReentrantLock cut = new ReentrantLock();
    Gate gate = new Gate();
    Outlet outlet =
        Outlets.of(
            options.order(),
            tasks::add,
            call(gate),
            gate,
            SimulatedProcess::fail,
            source::compare,
            options.order() == OrderMode.UNORDERED ? 1 : 4,
            options.inFlightPerPartition(),
            cut);
    this.engine =
        new Engine(
            source,
            run,
            options,
            outlet,
            (token, epoch) -> Optional.empty(),
            random::nextDouble,
            SimulatedProcess::fail,
            cut);
  }

  private static void fail(Throwable failure) {
    throw new AssertionError(failure);
  }

  private Call call(Gate gate) {
    return new Calls(gate, false, options.time())
        .batch(
            batch -> {
              List<DataChange> changes = batch.changes();
              if (options.order() == OrderMode.TRANSACTION) {
                oracle.transaction(changes);
              }
              changes.forEach(oracle::delivered);
              handed.addAll(batch.deliveries());
            });
  }

  /** Does one thing, chosen by chance. */
  void step() {
    try {
      switch (random.nextInt(10)) {
        case 0 -> sessions.addAll(engine.tick());
        case 1 -> engine.flush();
        case 2, 3 -> runTask();
        case 4, 5 -> ack();
        case 6 -> engine.updateWatermarks();
        default -> read();
      }
    } catch (DatabaseException passing) {
      // The loops of a reader try again.
    } catch (InterruptedException interrupt) {
      throw new AssertionError(interrupt);
    }
  }

  private void runTask() {
    if (!tasks.isEmpty()) {
      tasks.remove(random.nextInt(tasks.size())).run();
    }
  }

  private void ack() {
    if (!handed.isEmpty()) {
      Delivery delivery = handed.remove(random.nextInt(handed.size()));
      // Known to the oracle first: the store may learn of it in the next step.
      oracle.acked(delivery.change());
      delivery.ack();
    }
  }

  private void read() throws InterruptedException {
    sessions.removeIf(PartitionSession::isClosed);
    if (!sessions.isEmpty()) {
      Step unused = sessions.get(random.nextInt(sessions.size())).step(Duration.ZERO);
    }
  }

  Engine engine() {
    return engine;
  }
}
