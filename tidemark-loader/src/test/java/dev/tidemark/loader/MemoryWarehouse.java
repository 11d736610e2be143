package dev.tidemark.loader;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** A warehouse in memory that keeps the rules of the interface, and fails as it is told. */
final class MemoryWarehouse implements Warehouse {
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<List<Object>, Row> rows = new HashMap<>();
  private final Set<UUID> jobs = new HashSet<>();
  private final Map<String, String> positions = new HashMap<>();
  private final List<Batch> merges = new ArrayList<>();
  private final List<String> mistakes = new ArrayList<>();
  private Behaviour behaviour = (batch, store) -> store.get();
  private Consumer<List<Row>> expectation = rows -> {};

  /** What a merge does. {@code store} stores the batch and returns that it did. */
  interface Behaviour {
    MergeOutcome merge(Batch batch, java.util.function.Supplier<MergeOutcome> store);
  }

  void behave(Behaviour next) {
    behaviour = next;
  }

  void expecting(Consumer<List<Row>> next) {
    expectation = next;
  }

  @Override
  public void expect(Table table, List<Row> next) {
    expectation.accept(next);
  }

  @Override
  public void prepare(Table table, Table.Policy policy) {}

  @Override
  public MergeOutcome merge(Batch batch) {
    locked(() -> merges.add(batch));
    return behaviour.merge(batch, () -> locked(() -> store(batch)));
  }

  private MergeOutcome store(Batch batch) {
    if (!jobs.add(batch.job())) {
      return new MergeOutcome.Merged(0);
    }
    Set<List<Object>> keys = new HashSet<>();
    for (Row row : batch.rows()) {
      List<Object> key = row.key(batch.table());
      if (!keys.add(key)) {
        mistakes.add("Key " + key + " is twice in job " + batch.job());
      }
      Row old = rows.get(key);
      if (old == null || row.message().compareTo(old.message()) > 0) {
        if (row.isDeletion()) {
          rows.remove(key);
        } else {
          rows.put(key, row);
        }
      }
    }
    batch.position().ifPresent(position -> positions.put(batch.source(), position));
    return new MergeOutcome.Merged(batch.rows().size());
  }

  @Override
  public MergeOutcome settle(UUID job) {
    return locked(
        () -> jobs.contains(job) ? new MergeOutcome.Merged(-1) : new MergeOutcome.Absent());
  }

  @Override
  public Optional<String> position(String source) {
    return locked(() -> Optional.ofNullable(positions.get(source)));
  }

  @Override
  public void close() {}

  /** The value of each key, in column {@code column}. */
  Map<List<Object>, Object> table(int column) {
    return locked(
        () -> {
          Map<List<Object>, Object> table = new HashMap<>();
          rows.forEach((key, row) -> table.put(key, String.valueOf(row.value(column))));
          return table;
        });
  }

  List<Batch> merges() {
    return locked(() -> List.copyOf(merges));
  }

  List<String> mistakes() {
    return locked(() -> List.copyOf(mistakes));
  }

  private <T> T locked(java.util.function.Supplier<T> step) {
    lock.lock();
    try {
      return step.get();
    } finally {
      lock.unlock();
    }
  }
}
