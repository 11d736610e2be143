package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * All statistics of a store in one generation of its state, read once for the first query that
 * needs them.
 */
public final class SpaceStatistics {
  private final Map<String, KeyStatistics> known;

  private SpaceStatistics(Map<String, KeyStatistics> known) {
    this.known = Map.copyOf(known);
  }

  /** The statistics of {@code space} as {@code tx} finds it. */
  public static SpaceStatistics of(Space space, ReadTransaction tx) {
    SpaceState state = space.state(tx);
    return state.derived(SpaceStatistics.class, () -> read(space, tx.snapshot()));
  }

  private static SpaceStatistics read(Space space, ReadTransaction tx) {
    Map<String, KeyStatistics> known = new HashMap<>();
    for (Target target : Target.all(space, tx)) {
      StoredStatistics.read(tx, space.keys().statistics(target.id()))
          .ifPresent(found -> known.put(nameOf(target), found));
    }
    return new SpaceStatistics(known);
  }

  /** A type and an index may have the same name. */
  private static String nameOf(Target target) {
    return (target.records() ? "type " : "index ") + target.name();
  }

  /** The statistics of the records of {@code type}. */
  public Optional<KeyStatistics> type(String type) {
    return Optional.ofNullable(known.get("type " + type));
  }

  /** The statistics of {@code index}. */
  public Optional<KeyStatistics> index(String index) {
    return Optional.ofNullable(known.get("index " + index));
  }
}
