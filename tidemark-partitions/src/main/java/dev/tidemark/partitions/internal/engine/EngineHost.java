package dev.tidemark.partitions.internal.engine;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.log.Journal.CheckpointSource;
import dev.tidemark.partitions.internal.log.Journals;
import dev.tidemark.partitions.internal.log.StoreFailures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/** What the manager asks, carried out by the engine of this process. */
public final class EngineHost implements PartitionHost {
  private static final Duration DURABLE_WITHIN = Duration.ofSeconds(30);
  private static final int LOADS_AT_A_TIME = 16;

  private final String node;
  private final long incarnation;
  private final ConcurrentHashMap<String, PartitionCell> cells;
  private final Activation activation;
  private final Journals journals;
  private final Function<String, PartitionCell> cellOf;
  private final TimeSource time;

  EngineHost(
      String node,
      long incarnation,
      ConcurrentHashMap<String, PartitionCell> cells,
      Activation activation,
      Journals journals,
      Function<String, PartitionCell> cellOf,
      TimeSource time) {
    this.node = node;
    this.incarnation = incarnation;
    this.cells = cells;
    this.activation = activation;
    this.journals = journals;
    this.cellOf = cellOf;
    this.time = time;
  }

  @Override
  public long prepare(String partition) {
    return activation.prepare(partition);
  }

  @Override
  public long quiesce(String partition, long epoch, Duration hold) {
    PartitionCell cell = cellOf.apply(partition);
    return undoneOnFailure(
        List.of(cell), () -> cell.control(active -> hold(cell, active, epoch, hold)));
  }

  /** Makes everything durable, and admits nothing more. The caller has the turn. */
  private long hold(PartitionCell cell, ActiveActor active, long epoch, Duration hold) {
    checkEpoch(active, epoch);
    cell.hold(time.nanos() + hold.toNanos());
    long lsn = active.barrier().await(DURABLE_WITHIN, "The log of " + cell.partition());
    active.journal().quiesce();
    cell.hold(time.nanos() + hold.toNanos());
    return lsn;
  }

  private void checkEpoch(ActiveActor active, long epoch) {
    if (active.tenure().epoch() != epoch) {
      throw new PartitionException(
              Reason.BUSY,
              "%s is in epoch %d here; epoch %d was meant"
                  .formatted(active.tenure().partition(), active.tenure().epoch(), epoch))
          .atRoutingVersion(journals.routingVersion());
    }
  }

  private interface Step<T> {
    T run() throws Exception;
  }

  /** Goes on with requests if the step fails. */
  private static <T> T undoneOnFailure(List<PartitionCell> held, Step<T> step) {
    try {
      return step.run();
    } catch (PartitionException failure) {
      held.forEach(PartitionCell::endHold);
      throw failure;
    } catch (Exception failure) {
      held.forEach(PartitionCell::endHold);
      throw StoreFailures.of("The step failed", failure);
    }
  }

  @Override
  public void resume(String partition) {
    PartitionCell cell = cells.get(partition);
    if (cell != null) {
      cell.endHold();
    }
  }

  private record Halves(
      ActiveActor active, Key at, CheckpointSource lower, CheckpointSource upper) {}

  @Override
  public Key stageSplit(
      String partition,
      long epoch,
      String upper,
      String operation,
      Optional<Key> at,
      Duration hold) {
    PartitionCell cell = cellOf.apply(partition);
    return undoneOnFailure(
        List.of(cell),
        () -> {
          Halves halves =
              cell.control(
                  active -> {
                    checkEpoch(active, epoch);
                    Key key = splitKey(active, at);
                    hold(cell, active, epoch, hold);
                    return halves(active, key);
                  });
          halves.active.journal().stageSplit(operation, halves.lower, upper, halves.upper);
          return halves.at;
        });
  }

  private static Halves halves(ActiveActor active, Key at) throws Exception {
    PartitionRange range = active.tenure().range();
    return new Halves(active, at, active.source(range.below(at)), active.source(range.above(at)));
  }

  private static Key splitKey(ActiveActor active, Optional<Key> wish) {
    PartitionRange range = active.tenure().range();
    String partition = active.tenure().partition();
    Key key =
        wish.or(active::splitKey)
            .orElseThrow(
                () ->
                    new PartitionException(
                        Reason.INVALID,
                        ("%s has no key to split at: its actor gives no hint, and too few keys were"
                                + " asked for. Give one")
                            .formatted(partition)));
    if (!range.canSplitAt(key)) {
      throw new PartitionException(
          Reason.INVALID,
          "%s has the keys %s and cannot be split at %s".formatted(partition, range, key));
    }
    return key;
  }

  private record Both(
      ActiveActor lower, ActiveActor upper, CheckpointSource merged, long upperLsn) {}

  @Override
  public void stageMerge(
      String lower,
      long lowerEpoch,
      String upper,
      long upperEpoch,
      String operation,
      Duration hold) {
    PartitionCell below = cellOf.apply(lower);
    PartitionCell above = cellOf.apply(upper);
    undoneOnFailure(
        List.of(below, above),
        () -> {
          Both both =
              below.control(
                  first -> {
                    hold(below, first, lowerEpoch, hold);
                    return above.control(
                        second -> {
                          checkNeighbours(first, second);
                          long lsn = hold(above, second, upperEpoch, hold);
                          return new Both(first, second, first.merged(second), lsn);
                        });
                  });
          both.lower
              .journal()
              .stageMerge(operation, both.merged, both.upper.tenure(), both.upperLsn);
          return both;
        });
  }

  private static void checkNeighbours(ActiveActor lower, ActiveActor upper) {
    boolean sameType = lower.tenure().type().equals(upper.tenure().type());
    if (!sameType || !lower.tenure().range().isFollowedBy(upper.tenure().range())) {
      throw new PartitionException(
          Reason.INVALID,
          "%s does not end where %s begins; only neighbours of a type can be merged"
              .formatted(lower.tenure(), upper.tenure()));
    }
  }

  @Override
  public void refresh(List<String> partitions) {
    Semaphore room = new Semaphore(LOADS_AT_A_TIME);
    List<Thread> threads = new ArrayList<>();
    List<PartitionException> failures = Collections.synchronizedList(new ArrayList<>());
    for (String partition : partitions) {
      room.acquireUninterruptibly();
      threads.add(
          Thread.ofVirtual()
              .name("tidemark-partition-refresh-" + partition)
              .start(
                  () -> {
                    try {
                      refresh(partition);
                    } catch (PartitionException failure) {
                      failures.add(failure);
                    } catch (DatabaseException outage) {
                      failures.add(StoreFailures.of("The owner could not be read", outage));
                    } finally {
                      room.release();
                    }
                  }));
    }
    joinAll(threads);
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
  }

  private void refresh(String partition) {
    try {
      cellOf.apply(partition).refresh();
    } catch (PartitionException failure) {
      if (failure.reason() != Reason.MOVED) {
        throw failure;
      }
    }
  }

  private static void joinAll(List<Thread> threads) {
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        throw new PartitionException(
            Reason.TIMED_OUT, "The refresh was interrupted; it goes on by itself", interrupt);
      }
    }
  }

  /** What the server's partitions did lately, those that are not active too. */
  public HostStatistics statistics() {
    // An actor that enters or leaves memory is in both places for a moment, never in neither. One
    // that leaves the first place while the second is being read is found by the third look.
    Map<String, PartitionStatistics> all = new LinkedHashMap<>();
    activation.dormant().forEach(asleep -> all.put(asleep.partition(), asleep));
    for (PartitionCell cell : cells.values()) {
      ActiveActor active = cell.active();
      if (active != null) {
        all.put(cell.partition(), active.statistics(cell.queued()));
      }
    }
    activation.dormant().forEach(asleep -> all.putIfAbsent(asleep.partition(), asleep));
    return new HostStatistics(node, incarnation, new ArrayList<>(all.values()));
  }
}
