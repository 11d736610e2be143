package dev.tidemark.partitions.internal.engine;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.log.Journal;
import dev.tidemark.partitions.internal.log.Journals;
import dev.tidemark.partitions.internal.log.Loaded;
import dev.tidemark.partitions.internal.log.StoreFailures;
import dev.tidemark.partitions.internal.log.Tenure;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** How actors come into memory, and what is known of those that are not. */
final class Activation implements EngineServices {
  /**
   * A checkpoint that the previous actor object began may take effect while this one is loaded, and
   * remove what is being read. That happens once; the next attempt reads the new checkpoint.
   */
  private static final int LOADS = 3;

  private final Map<String, ActorType<Object, Object>> types;
  private final Journals journals;
  private final EngineOptions options;
  private final NodeLease lease;
  private final TimeSource time;
  private final ConcurrentHashMap<String, PartitionCell> cells;
  private final ConcurrentHashMap<String, Warm> warm = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, PartitionStatistics> dormant = new ConcurrentHashMap<>();

  Activation(
      Map<String, ActorType<Object, Object>> types,
      Journals journals,
      EngineOptions options,
      NodeLease lease,
      TimeSource time,
      ConcurrentHashMap<String, PartitionCell> cells) {
    this.types = types;
    this.journals = journals;
    this.options = options;
    this.lease = lease;
    this.time = time;
    this.cells = cells;
  }

  @Override
  public EngineOptions options() {
    return options;
  }

  @Override
  public TimeSource time() {
    return time;
  }

  @Override
  public NodeLease lease() {
    return lease;
  }

  PartitionCell newCell(String partition) {
    return cells.computeIfAbsent(
        partition,
        missing -> {
          PartitionCell cell = new PartitionCell(missing, this);
          cell.start();
          return cell;
        });
  }

  @Override
  public Tenure tenure(String partition) {
    try {
      return journals.own(partition).tenure();
    } catch (PartitionException failure) {
      forgetIfMoved(partition, failure);
      throw failure;
    }
  }

  @Override
  public ActiveActor load(PartitionCell cell, Runnable onChange) {
    String partition = cell.partition();
    try {
      Journal journal = journals.own(partition);
      return load(journal, cell, onChange);
    } catch (PartitionException failure) {
      forgetIfMoved(partition, failure);
      throw failure;
    } catch (Exception | StackOverflowError failure) {
      throw StoreFailures.of(
          "%s could not be loaded; the next request tries again".formatted(partition), failure);
    }
  }

  @Override
  public void awake(PartitionCell cell) {
    dormant.remove(cell.partition());
  }

  private ActiveActor load(Journal journal, PartitionCell cell, Runnable onChange)
      throws Exception {
    Tenure tenure = journal.tenure();
    Warm ahead = warm.remove(tenure.partition());
    if (ahead != null && ahead.fits(tenure)) {
      Optional<Loaded> caughtUp = journal.catchUp(ahead.loaded(), ahead.instance());
      if (caughtUp.isPresent()) {
        return opened(journal, ahead.instance(), caughtUp.get(), cell, onChange);
      }
    }
    for (int attempt = 1; ; attempt++) {
      Instance instance = instance(tenure);
      try {
        return opened(journal, instance, journal.load(instance), cell, onChange);
      } catch (PartitionException failure) {
        if (failure.reason() != Reason.CORRUPT || attempt == LOADS) {
          throw failure;
        }
      }
    }
  }

  private ActiveActor opened(
      Journal journal, Instance instance, Loaded loaded, PartitionCell cell, Runnable onChange) {
    journal.open(loaded.lsn());
    return new ActiveActor(journal, instance, loaded, this, cell.meter, onChange);
  }

  private void forgetIfMoved(String partition, PartitionException failure) {
    if (failure.reason() == Reason.MOVED) {
      dormant.remove(partition);
    }
  }

  private Instance instance(Tenure tenure) {
    ActorType<Object, Object> type = types.get(tenure.type());
    if (type == null) {
      throw new PartitionException(
          Reason.NOT_FOUND,
          "%s is of the actor type %s, which this server does not have; it has %s"
              .formatted(tenure.partition(), tenure.type(), types.keySet()));
    }
    return new Instance(type, tenure, time, options.answers());
  }

  /** Loads a partition before this server becomes its owner. */
  long prepare(String partition) {
    Instance[] instance = new Instance[1];
    Tenure[] of = new Tenure[1];
    Loaded loaded =
        journals.peek(
            partition,
            tenure -> {
              of[0] = tenure;
              instance[0] = instance(tenure);
              return instance[0];
            });
    warm.put(partition, new Warm(of[0], instance[0], loaded, time.nanos()));
    return loaded.lsn();
  }

  /** Drops what was loaded ahead long ago. */
  void dropOldWarm(Duration age) {
    warm.values().removeIf(ahead -> time.nanos() - ahead.nanos() > age.toNanos());
  }

  @Override
  public void logIsLong(PartitionCell cell) {
    if (!cell.checkpointing.get()) {
      Thread.ofVirtual()
          .name("tidemark-partition-checkpoint-" + cell.partition())
          .start(() -> checkpoint(cell));
    }
  }

  /** Writes a checkpoint; a failure is reported, and the next occasion tries again. */
  static void checkpoint(PartitionCell cell) {
    try {
      Checkpoints.write(cell);
    } catch (Throwable failure) {
      Failures.report("A checkpoint of " + cell.partition() + " failed", failure);
    }
  }

  @Override
  public void forget(PartitionCell cell) {
    cells.remove(cell.partition(), cell);
  }

  /**
   * Keeps what is known of a partition that this server still owns when its actor leaves memory.
   * The thread that has the turn calls this before the actor leaves, so the partition is known at
   * any time and nobody can load it meanwhile.
   */
  void sleeps(ActiveActor actor) {
    PartitionStatistics last = actor.statistics(0);
    dormant.put(
        last.partition(),
        new PartitionStatistics(
            last.partition(),
            last.type(),
            last.epoch(),
            false,
            0,
            last.keys(),
            last.bytes(),
            0,
            Duration.ZERO,
            Duration.ZERO,
            last.logEntries()));
  }

  Iterable<PartitionStatistics> dormant() {
    return dormant.values();
  }
}
