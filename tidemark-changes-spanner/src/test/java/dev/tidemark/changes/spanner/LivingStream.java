package dev.tidemark.changes.spanner;

import static dev.tidemark.testkit.spanner.SpannerScript.change;
import static dev.tidemark.testkit.spanner.SpannerScript.child;
import static dev.tidemark.testkit.spanner.SpannerScript.heartbeat;

import dev.tidemark.testkit.spanner.SpannerScript;
import io.grpc.Status;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A change stream that is written to, split and merged while it is read, with the rules of Spanner:
 * parents end exactly where children begin, a query outside of its partition is refused, and
 * nothing comes at or before a heartbeat.
 */
final class LivingStream implements SpannerScript {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by lock.
  private final Map<String, Partition> partitions = new LinkedHashMap<>();
  private final long[] values;
  private Instant latest = Instant.now().truncatedTo(ChronoUnit.MICROS);
  private int tokens;

  private static final class Partition {
    final String token;
    final Instant start;
    final Set<Integer> keys;
    final List<Row> rows = new ArrayList<>();
    final List<String> children = new ArrayList<>();
    @Nullable Instant end;

    Partition(String token, Instant start, Set<Integer> keys) {
      this.token = token;
      this.start = start;
      this.keys = new TreeSet<>(keys);
    }
  }

  private record Row(Instant commit, String json) {}

  /** A stream of one partition with {@code keys} keys, each of which has the value 0. */
  LivingStream(int keys) {
    values = new long[keys];
    Set<Integer> all = new TreeSet<>();
    for (int key = 0; key < keys; key++) {
      all.add(key);
    }
    begin(all);
  }

  private Partition begin(Set<Integer> keys) {
    Partition partition = new Partition("token-" + ++tokens, latest, keys);
    partitions.put(partition.token, partition);
    return partition;
  }

  /** A time behind everything so far. The caller holds the lock. */
  private Instant next() {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
    latest = now.isAfter(latest) ? now : latest.plus(1, ChronoUnit.MICROS);
    return latest;
  }

  /** Commits the next value of {@code key}. */
  void commit(int key) {
    lock.lock();
    try {
      Instant commit = next();
      long value = ++values[key];
      Partition holder =
          partitions.values().stream()
              .filter(each -> each.end == null && each.keys.contains(key))
              .findFirst()
              .orElseThrow();
      holder.rows.add(new Row(commit, change(commit, key, value)));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The value of {@code key}. */
  long value(int key) {
    lock.lock();
    try {
      return values[key];
    } finally {
      lock.unlock();
    }
  }

  /** The partitions that have not ended. */
  List<String> alive() {
    lock.lock();
    try {
      return partitions.values().stream()
          .filter(each -> each.end == null)
          .map(each -> each.token)
          .toList();
    } finally {
      lock.unlock();
    }
  }

  /** Splits a partition with several keys into two. */
  void split(String token) {
    lock.lock();
    try {
      Partition parent = alive(token);
      List<Integer> keys = List.copyOf(parent.keys);
      if (keys.size() > 1) {
        parent.end = next();
        for (List<Integer> half :
            List.of(keys.subList(0, keys.size() / 2), keys.subList(keys.size() / 2, keys.size()))) {
          parent.children.add(child(latest, begin(new TreeSet<>(half)).token, token));
        }
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Merges two partitions. */
  void merge(String first, String second) {
    lock.lock();
    try {
      Partition one = alive(first);
      Partition two = alive(second);
      Instant end = next();
      Set<Integer> keys = new TreeSet<>(one.keys);
      keys.addAll(two.keys);
      one.end = end;
      two.end = end;
      String json = child(end, begin(keys).token, first, second);
      one.children.add(json);
      two.children.add(json);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private Partition alive(String token) {
    Partition partition = partitions.get(token);
    if (partition == null || partition.end != null) {
      throw new IllegalArgumentException(token + " is not alive");
    }
    return partition;
  }

  @Override
  public void answer(Query query, Rows rows) throws InterruptedException {
    if (query.token().isEmpty()) {
      for (String token : aliveAt(query.start())) {
        rows.record(child(query.start(), token));
      }
      return;
    }
    Partition partition = find(query, rows);
    int index = 0;
    while (true) {
      List<String> ready = new ArrayList<>();
      boolean over;
      lock.lockInterruptibly();
      try {
        long left = query.heartbeat().toNanos();
        while (index == partition.rows.size() && partition.end == null && left > 0) {
          left = changed.awaitNanos(left);
        }
        for (; index < partition.rows.size(); index++) {
          Row row = partition.rows.get(index);
          if (!row.commit().isBefore(query.start())) {
            ready.add(row.json());
          }
        }
        over = partition.end != null;
        ready.addAll(over ? partition.children : List.of(heartbeat(next())));
      } finally {
        lock.unlock();
      }
      for (String json : ready) {
        rows.record(json);
      }
      if (over) {
        return;
      }
    }
  }

  private List<String> aliveAt(Instant time) {
    lock.lock();
    try {
      return partitions.values().stream()
          .filter(each -> !each.start.isAfter(time))
          .filter(each -> each.end == null || each.end.isAfter(time))
          .map(each -> each.token)
          .toList();
    } finally {
      lock.unlock();
    }
  }

  private Partition find(Query query, Rows rows) {
    lock.lock();
    try {
      Partition partition = partitions.get(query.token());
      if (partition == null) {
        throw rows.failure(Status.Code.INVALID_ARGUMENT, "partition_token is invalid");
      }
      Instant end = partition.end;
      if (query.start().isBefore(partition.start) || (end != null && query.start().isAfter(end))) {
        throw rows.failure(
            Status.Code.OUT_OF_RANGE, "start_timestamp is invalid for the partition");
      }
      return partition;
    } finally {
      lock.unlock();
    }
  }
}
