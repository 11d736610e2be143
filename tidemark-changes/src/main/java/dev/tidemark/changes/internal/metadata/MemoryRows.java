package dev.tidemark.changes.internal.metadata;

import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.RunRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The rows of one run: what is stored, or a change on top of it that can be thrown away. */
final class MemoryRows implements MetadataStore.Rows {
  private final @Nullable MemoryRows base;
  private final SortedMap<Id, Optional<PartitionRow>> partitions = new TreeMap<>();
  private final Map<String, Optional<Instant>> members = new HashMap<>();
  private @Nullable RunRow run;

  private record Id(long generation, String token) implements Comparable<Id> {
    @Override
    public int compareTo(Id other) {
      int byGeneration = Long.compare(generation, other.generation);
      return byGeneration != 0 ? byGeneration : token.compareTo(other.token);
    }
  }

  MemoryRows() {
    this.base = null;
  }

  private MemoryRows(MemoryRows base) {
    this.base = base;
    this.run = base.run;
  }

  /** A change on top of these rows. */
  MemoryRows overlay() {
    return new MemoryRows(this);
  }

  /** The rows below, with this change applied to them. */
  MemoryRows merged() {
    MemoryRows below = base;
    if (below == null) {
      return this;
    }
    below.run = run;
    partitions.forEach((id, row) -> merge(below.partitions, id, row));
    members.forEach((id, end) -> merge(below.members, id, end));
    return below;
  }

  private static <K, V> void merge(Map<K, Optional<V>> into, K key, Optional<V> value) {
    if (value.isPresent()) {
      into.put(key, value);
    } else {
      into.remove(key);
    }
  }

  @Override
  public Optional<RunRow> run() {
    return Optional.ofNullable(run);
  }

  @Override
  public void putRun(RunRow row) {
    run = row;
  }

  @Override
  public Optional<PartitionRow> partition(long generation, String token) {
    Id id = new Id(generation, token);
    Optional<PartitionRow> own = partitions.getOrDefault(id, Optional.empty());
    if (base == null || partitions.containsKey(id)) {
      return own;
    }
    return base.partition(generation, token);
  }

  @Override
  public List<PartitionRow> partitions(long generation) {
    SortedMap<Id, Optional<PartitionRow>> all = new TreeMap<>();
    if (base != null) {
      all.putAll(base.partitions);
    }
    all.putAll(partitions);
    List<PartitionRow> rows = new ArrayList<>();
    all.forEach(
        (id, row) -> {
          if (id.generation() == generation) {
            row.ifPresent(rows::add);
          }
        });
    return rows;
  }

  @Override
  public void put(PartitionRow row) {
    partitions.put(new Id(row.generation(), row.token()), Optional.of(row));
  }

  @Override
  public void remove(long generation, String token) {
    partitions.put(new Id(generation, token), Optional.empty());
  }

  @Override
  public Map<String, Instant> members() {
    Map<String, Optional<Instant>> all = new HashMap<>();
    if (base != null) {
      all.putAll(base.members);
    }
    all.putAll(members);
    Map<String, Instant> live = new TreeMap<>();
    all.forEach((id, end) -> end.ifPresent(until -> live.put(id, until)));
    return live;
  }

  @Override
  public Optional<Instant> member(String member) {
    return Optional.ofNullable(members().get(member));
  }

  @Override
  public void putMember(String member, Instant end) {
    members.put(member, Optional.of(end));
  }

  @Override
  public void removeMember(String member) {
    members.put(member, Optional.empty());
  }
}
