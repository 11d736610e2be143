package dev.tidemark.loader.internal.engine;

import dev.tidemark.loader.JobInfo;
import dev.tidemark.loader.LoadResult;
import dev.tidemark.loader.LoaderStatistics;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** What a loader has done since it was opened. */
final class Counters {
  /** A run of five minutes has about a hundred where a job takes seconds. */
  private static final int JOBS_MAX = 200;

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final Map<Count, Long> counts = new EnumMap<>(Count.class);
  private final MergeTimes mergeTimes = new MergeTimes();
  private final ArrayDeque<JobInfo> jobs = new ArrayDeque<>();

  enum Count {
    PULLED,
    MERGED,
    DUPLICATES,
    IGNORED,
    DEAD,
    NACKED,
    NACKED_FOR_TIME,
    ACKS_LOST,
    EXTENSIONS,
    BATCHES,
    ROWS,
    BYTES,
    RETRIES,
    HALVINGS,
    UNKNOWN,
    BREAKER_OPENED,
    PULL_FAILURES
  }

  void add(Count count, long amount) {
    lock.lock();
    try {
      counts.merge(count, amount, Long::sum);
    } finally {
      lock.unlock();
    }
  }

  void merged(int rows, long nanos) {
    lock.lock();
    try {
      counts.merge(Count.BATCHES, 1L, Long::sum);
      counts.merge(Count.ROWS, (long) rows, Long::sum);
      mergeTimes.add(nanos);
    } finally {
      lock.unlock();
    }
  }

  /** A run begins, of which there are no jobs yet. */
  void forgetJobs() {
    lock.lock();
    try {
      jobs.clear();
    } finally {
      lock.unlock();
    }
  }

  void job(JobInfo job) {
    lock.lock();
    try {
      if (jobs.size() == JOBS_MAX) {
        jobs.removeFirst();
      }
      jobs.addLast(job);
    } finally {
      lock.unlock();
    }
  }

  /** The last jobs of the run, oldest first. */
  List<JobInfo> jobs() {
    lock.lock();
    try {
      return List.copyOf(jobs);
    } finally {
      lock.unlock();
    }
  }

  /** A copy of the counts. */
  Map<Count, Long> counts() {
    lock.lock();
    try {
      return new EnumMap<>(counts);
    } finally {
      lock.unlock();
    }
  }

  /** What was counted since {@code before}. */
  LoadResult since(Map<Count, Long> before, Duration elapsed, LoadResult.Ending ending) {
    Map<Count, Long> now = counts();
    now.replaceAll((count, value) -> value - before.getOrDefault(count, 0L));
    return new LoadResult(
        of(now, Count.PULLED),
        of(now, Count.MERGED),
        of(now, Count.DUPLICATES),
        of(now, Count.IGNORED),
        of(now, Count.DEAD),
        of(now, Count.NACKED),
        of(now, Count.NACKED_FOR_TIME),
        of(now, Count.ACKS_LOST),
        of(now, Count.BATCHES),
        of(now, Count.BYTES),
        elapsed,
        ending);
  }

  LoaderStatistics statistics(int buffered, int inFlight) {
    lock.lock();
    try {
      return new LoaderStatistics(
          of(counts, Count.PULLED),
          of(counts, Count.MERGED),
          of(counts, Count.DUPLICATES),
          of(counts, Count.IGNORED),
          of(counts, Count.DEAD),
          of(counts, Count.NACKED),
          of(counts, Count.NACKED_FOR_TIME),
          of(counts, Count.ACKS_LOST),
          of(counts, Count.EXTENSIONS),
          of(counts, Count.BATCHES),
          of(counts, Count.ROWS),
          of(counts, Count.BYTES),
          of(counts, Count.RETRIES),
          of(counts, Count.HALVINGS),
          of(counts, Count.UNKNOWN),
          of(counts, Count.BREAKER_OPENED),
          of(counts, Count.PULL_FAILURES),
          buffered,
          inFlight,
          mergeTimes.total(),
          mergeTimes.below(0.5),
          mergeTimes.below(0.99),
          mergeTimes.max());
    } finally {
      lock.unlock();
    }
  }

  private static long of(Map<Count, Long> counts, Count count) {
    return counts.getOrDefault(count, 0L);
  }
}
