package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.records.changes.ChangeBatch;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.changes.ChangePartition;
import dev.tidemark.records.changes.ChangePosition;
import dev.tidemark.records.changes.DataChange;
import dev.tidemark.records.changes.PartitionEnd;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a change log from a position on, from parents to children, checks what it promises, and
 * makes records of it again.
 */
final class ChangeReplay {
  private final TreeMap<Long, Map<String, @Nullable Object>> rows = new TreeMap<>();

  private ChangeReplay() {}

  /** All changes of {@code log} behind {@code from}, in the order of their positions. */
  static List<DataChange> read(ChangeLog log, ChangePosition from, int batch) {
    List<DataChange> all = new ArrayList<>();
    Map<String, ChangePartition> known = new HashMap<>();
    log.partitions().forEach(partition -> known.put(partition.token(), partition));
    Map<String, Integer> partitionsOf = new HashMap<>();
    Deque<String> open = new ArrayDeque<>();
    Set<String> seen = new HashSet<>();
    log.partitionsAt(from).forEach(partition -> open.add(partition.token()));
    while (!open.isEmpty()) {
      String token = open.remove();
      if (seen.add(token)) {
        ChangePartition partition =
            Objects.requireNonNull(known.get(token), () -> "partition " + token);
        List<DataChange> changes = readOne(log, partition, from, batch, open);
        check(partition, changes);
        changes.stream()
            .map(DataChange::transactionId)
            .distinct()
            .forEach(id -> partitionsOf.merge(id, 1, Integer::sum));
        all.addAll(changes);
      }
    }
    all.sort(Comparator.comparing(DataChange::position));
    checkTransactions(all, partitionsOf);
    return all;
  }

  private static List<DataChange> readOne(
      ChangeLog log,
      ChangePartition partition,
      ChangePosition from,
      int batch,
      Deque<String> open) {
    List<DataChange> changes = new ArrayList<>();
    ChangePosition at = from;
    while (true) {
      ChangeBatch next = log.read(partition.token(), at, batch, 1 << 20);
      assertThat(next.position()).isGreaterThanOrEqualTo(at);
      changes.addAll(next.changes());
      at = next.position();
      if (next.end().isPresent()) {
        PartitionEnd end = next.end().get();
        assertThat(partition.ended()).contains(end.position());
        end.children().forEach(child -> open.add(child.token()));
        return changes;
      }
      if (next.caughtUp()) {
        assertThat(partition.isActive()).isTrue();
        return changes;
      }
    }
  }

  private static void check(ChangePartition partition, List<DataChange> changes) {
    assertThat(changes).isSortedAccordingTo(Comparator.comparing(DataChange::position));
    for (DataChange change : changes) {
      assertThat(change.position()).isGreaterThan(partition.start());
      partition.ended().ifPresent(end -> assertThat(change.position()).isLessThan(end));
      partition
          .begin()
          .ifPresent(begin -> assertThat(change.primaryKey()).isGreaterThanOrEqualTo(begin.key()));
      partition.end().ifPresent(end -> assertThat(change.primaryKey()).isLessThan(end.key()));
    }
    Map<String, DataChange> last = new LinkedHashMap<>();
    changes.forEach(change -> last.put(change.transactionId(), change));
    assertThat(changes.stream().filter(DataChange::isLastInTransactionInPartition))
        .containsExactlyElementsOf(last.values());
  }

  private static void checkTransactions(
      List<DataChange> changes, Map<String, Integer> partitionsOf) {
    Map<String, Integer> records = new HashMap<>();
    changes.forEach(change -> records.merge(change.transactionId(), 1, Integer::sum));
    for (DataChange change : changes) {
      assertThat(change.recordsInTransaction()).isEqualTo(records.get(change.transactionId()));
      assertThat(change.partitionsInTransaction())
          .isEqualTo(partitionsOf.get(change.transactionId()));
    }
    assertThat(changes).extracting(DataChange::position).doesNotHaveDuplicates();
  }

  /** Nothing yet. */
  static ChangeReplay empty() {
    return new ChangeReplay();
  }

  /** Makes one change, which must fit what is there. */
  void apply(DataChange change) {
    long id = (Long) Objects.requireNonNull(change.keys().get("id"));
    Map<String, @Nullable Object> row = rows.get(id);
    switch (change.modType()) {
      case INSERT -> {
        assertThat(row).as("row %d before %s", id, change).isNull();
        rows.put(id, new HashMap<>(change.newValues()));
      }
      case UPDATE -> {
        Map<String, @Nullable Object> before =
            Objects.requireNonNull(row, () -> "there is no row before " + change);
        change.oldValues().forEach((name, value) -> assertThat(before).containsEntry(name, value));
        before.putAll(change.newValues());
      }
      case DELETE -> {
        assertThat(row).as("row %d before %s", id, change).isNotNull();
        if (change.captureType().keepsOld()) {
          assertThat(row).isEqualTo(change.oldValues());
        }
        rows.remove(id);
      }
    }
  }

  /** The rows by id. */
  Map<Long, Map<String, @Nullable Object>> rows() {
    return rows;
  }

  /** What the log says of an inserted {@code person}. */
  static Map<String, @Nullable Object> row(Person person) {
    Map<String, @Nullable Object> row = new HashMap<>();
    row.put("email", person.email());
    row.put("city", person.city());
    row.put("age", person.age());
    row.put("score", person.score());
    row.put("weight", person.weight());
    row.put("tags", person.tags());
    row.put("expires", person.expires());
    Person.Address address = person.address();
    Map<String, @Nullable Object> nested = new HashMap<>();
    if (address != null) {
      nested.put("street", address.street());
      nested.put("zip", address.zip());
    }
    row.put("address", address == null ? null : nested);
    return row;
  }
}
