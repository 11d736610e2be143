package dev.tidemark.chaos.partitions;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Everything that many workers did to one counter at the same time, and whether it is linearizable:
 * whether each operation can have happened at a moment between its begin and its end. An addition
 * returns its sum, so the additions can only have happened in the order of the sums, and the check
 * is exact: each operation must fit into that order in real time.
 */
final class CounterHistory {
  /** Further operations are not asked for; a run of many hours must not fill the memory. */
  private static final int OPERATIONS_MAX = 100_000;

  private final String name;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final List<Operation> operations = new ArrayList<>();
  private int inDoubt;

  /** An addition or a read, with the nanoseconds at which it was asked for and answered. */
  private record Operation(boolean addition, long begin, long end, long value) {
    @Override
    public String toString() {
      return "%s of %d from %d to %d".formatted(addition ? "addition" : "read", value, begin, end);
    }
  }

  /** The history of the counter with this name, which begins at 0. */
  CounterHistory(String name) {
    this.name = name;
  }

  boolean isFull() {
    lock.lock();
    try {
      return operations.size() >= OPERATIONS_MAX;
    } finally {
      lock.unlock();
    }
  }

  /** An addition of one made this sum. */
  void added(long begin, long end, long sum) {
    add(new Operation(true, begin, end, sum));
  }

  /** A read answered this sum. */
  void read(long begin, long end, long sum) {
    add(new Operation(false, begin, end, sum));
  }

  private void add(Operation operation) {
    lock.lock();
    try {
      operations.add(operation);
    } finally {
      lock.unlock();
    }
  }

  /** An addition had no answer: it may have happened, at any time since. */
  void inDoubt() {
    lock.lock();
    try {
      inDoubt++;
    } finally {
      lock.unlock();
    }
  }

  /** Why the history is not linearizable; nothing if it is. */
  List<String> violations() {
    lock.lock();
    try {
      List<String> found = new ArrayList<>();
      checkSums(found);
      checkFuture(found);
      checkPast(found);
      return found;
    } finally {
      lock.unlock();
    }
  }

  /** Each sum was made by one addition; those that nobody heard of were in doubt. */
  private void checkSums(List<String> found) {
    long[] sums =
        operations.stream().filter(Operation::addition).mapToLong(Operation::value).toArray();
    Arrays.sort(sums);
    for (int i = 1; i < sums.length; i++) {
      if (sums[i] == sums[i - 1]) {
        found.add("%s: two additions made the sum %d".formatted(name, sums[i]));
      }
    }
    long greatest = operations.stream().mapToLong(Operation::value).max().orElse(0);
    long unknown = greatest - sums.length;
    if (unknown > inDoubt) {
      found.add(
          "%s: %d additions of %d are unknown, %d are in doubt"
              .formatted(name, unknown, greatest, inDoubt));
    }
  }

  /** Nothing was answered that was made only later. */
  private void checkFuture(List<String> found) {
    List<Operation> bySum = new ArrayList<>(operations);
    bySum.sort(
        Comparator.comparingLong(Operation::value)
            .thenComparing(Operation::addition, Comparator.reverseOrder()));
    long latestBegin = Long.MIN_VALUE;
    for (Operation operation : bySum) {
      if (operation.end() < latestBegin) {
        found.add("%s: %s ended before what it counts had begun".formatted(name, operation));
      }
      if (operation.addition()) {
        latestBegin = Math.max(latestBegin, operation.begin());
      }
    }
  }

  /** Nothing was answered that was over before the operation began. */
  private void checkPast(List<String> found) {
    List<Operation> byBegin = new ArrayList<>(operations);
    byBegin.sort(Comparator.comparingLong(Operation::begin));
    List<Operation> byEnd = new ArrayList<>(operations);
    byEnd.sort(Comparator.comparingLong(Operation::end));
    long known = 0;
    int ended = 0;
    for (Operation operation : byBegin) {
      while (ended < byEnd.size() && byEnd.get(ended).end() < operation.begin()) {
        known = Math.max(known, byEnd.get(ended++).value());
      }
      if (operation.value() < known || (operation.addition() && operation.value() == known)) {
        found.add("%s: %s after the sum %d was known".formatted(name, operation, known));
      }
    }
  }
}
