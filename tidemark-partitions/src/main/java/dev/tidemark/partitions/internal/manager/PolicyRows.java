package dev.tidemark.partitions.internal.manager;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.partitions.internal.policy.PolicyMemory;
import dev.tidemark.partitions.internal.store.ControlKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The policy that an operator applied, and what it remembers, as rows. */
final class PolicyRows {
  private static final long FORMAT = 1;

  /**
   * A policy in the store.
   *
   * @param yaml its text; empty after it was cleared
   * @param revision counts the changes
   */
  record Stored(String yaml, long revision) {
    static final Stored NONE = new Stored("", 0);

    boolean isActive() {
      return !yaml.isEmpty();
    }
  }

  Stored stored(Rows rows) {
    return rows.get(ControlKeys.POLICY)
        .map(Tuple::unpack)
        .map(row -> new Stored(row.getString(1), row.getLong(2)))
        .orElse(Stored.NONE);
  }

  /** Replaces the policy. What was remembered of merges under the previous policy is removed. */
  Stored store(Rows rows, String yaml) {
    Stored next = new Stored(yaml, stored(rows).revision() + 1);
    rows.set(ControlKeys.POLICY, Tuple.of(FORMAT, next.yaml(), next.revision()).pack());
    PolicyMemory memory = memory(rows);
    storeMemory(rows, new PolicyMemory(memory.lastAction(), memory.lastActions(), Map.of()));
    return next;
  }

  PolicyMemory memory(Rows rows) {
    Optional<Tuple> row = rows.get(ControlKeys.POLICY_STATE).map(Tuple::unpack);
    if (row.isEmpty()) {
      return PolicyMemory.EMPTY;
    }
    Map<String, Long> actions = new HashMap<>();
    Tuple pairs = row.get().getTuple(2);
    for (int i = 0; i < pairs.size(); i += 2) {
      actions.put(pairs.getString(i), pairs.getLong(i + 1));
    }
    Map<String, Integer> rounds = new HashMap<>();
    Tuple counts = row.get().getTuple(3);
    for (int i = 0; i < counts.size(); i += 2) {
      rounds.put(counts.getString(i), counts.getInt(i + 1));
    }
    return new PolicyMemory(row.get().getLong(1), actions, rounds);
  }

  void storeMemory(Rows rows, PolicyMemory memory) {
    Tuple row =
        Tuple.of(FORMAT, memory.lastAction())
            .nest(flat(memory.lastActions()))
            .nest(flat(memory.mergeRounds()));
    rows.set(ControlKeys.POLICY_STATE, row.pack());
  }

  private static Tuple flat(Map<String, ? extends Number> map) {
    List<Object> flat = new ArrayList<>();
    map.forEach(
        (key, value) -> {
          flat.add(key);
          flat.add(value.longValue());
        });
    return Tuple.copyOf(flat);
  }
}
