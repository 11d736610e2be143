package dev.tidemark.changes;

import java.util.List;
import java.util.Optional;

/**
 * Who split into whom, and where each partition stands.
 *
 * @param run the run as a whole; empty if it was never started
 * @param partitions the partitions of its generation, the root among them, by token
 */
public record Lineage(Optional<RunRow> run, List<PartitionRow> partitions) {
  /** Copies the list. */
  public Lineage {
    partitions = List.copyOf(partitions);
  }

  /** The lineage of {@code run}, as {@code store} has it. */
  public static Lineage of(MetadataStore store, String run) {
    return store.read(
        run,
        rows ->
            new Lineage(
                rows.run(),
                rows.run().map(row -> rows.partitions(row.generation())).orElse(List.of())));
  }

  /** The partition {@code token}, if it is known. */
  public Optional<PartitionRow> find(String token) {
    return partitions.stream().filter(row -> row.token().equals(token)).findFirst();
  }

  /** The partitions that continue {@code token}. */
  public List<PartitionRow> childrenOf(String token) {
    return partitions.stream().filter(row -> row.parents().contains(token)).toList();
  }
}
