package dev.tidemark.partitions.internal.policy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What one round of a policy came to.
 *
 * @param action what to do, if anything
 * @param general why the cluster as a whole was left alone, where it was
 * @param reasons why a partition was left alone, for those that were looked at more closely;
 *     written out only when somebody asks
 * @param memory what to remember if nothing is done
 */
public record Decision(
    Optional<Action> action,
    List<String> general,
    Map<String, List<Supplier<String>>> reasons,
    PolicyMemory memory) {
  /** Why this partition was left alone. */
  public List<String> reasonsFor(String partition) {
    return reasons.getOrDefault(partition, List.of()).stream().map(Supplier::get).toList();
  }
}
