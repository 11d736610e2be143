package dev.tidemark.bench.partitions;

import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.log.Append;
import dev.tidemark.partitions.internal.log.Journal;
import dev.tidemark.partitions.internal.log.JournalTarget;
import dev.tidemark.partitions.internal.log.Journals;
import dev.tidemark.partitions.internal.log.Loaded;
import dev.tidemark.partitions.internal.log.Tenure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Logs that keep nothing and take a fixed time for each batch, however large. */
final class SlowJournals implements Journals {
  private final String type;
  private final Duration append;
  final LongAdder batches = new LongAdder();
  final LongAdder entries = new LongAdder();

  SlowJournals(String type, Duration append) {
    this.type = type;
    this.append = append;
  }

  @Override
  public Journal own(String partition) {
    return new SlowJournal(new Tenure(partition, 1, "bench", 1, type, PartitionRange.ALL));
  }

  @Override
  public Loaded peek(String partition, JournalTarget.Factory target) {
    return new Loaded(0, 0, 0);
  }

  @Override
  public long routingVersion() {
    return 1;
  }

  private final class SlowJournal implements Journal {
    private final Tenure tenure;

    SlowJournal(Tenure tenure) {
      this.tenure = tenure;
    }

    @Override
    public Tenure tenure() {
      return tenure;
    }

    @Override
    public Loaded load(JournalTarget target) {
      return new Loaded(0, 0, 0);
    }

    @Override
    public Optional<Loaded> catchUp(Loaded from, JournalTarget target) {
      return Optional.empty();
    }

    @Override
    public void open(long lsn) {}

    @Override
    public void serve() {}

    @Override
    public void quiesce() {}

    @Override
    public void append(long firstLsn, List<Append> batch) {
      batches.increment();
      entries.add(batch.size());
      long end = System.nanoTime() + append.toNanos();
      for (long left = append.toNanos(); left > 0; left = end - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
    }

    @Override
    public long checkpoint(CheckpointSource source) {
      return 0;
    }

    @Override
    public void stageSplit(
        String operation, CheckpointSource lower, String upperId, CheckpointSource upper) {}

    @Override
    public void stageMerge(
        String operation, CheckpointSource merged, Tenure upper, long upperLsn) {}
  }
}
