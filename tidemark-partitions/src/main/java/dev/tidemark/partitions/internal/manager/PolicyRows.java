package dev.tidemark.partitions.internal.manager;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Tuple;
import dev.tidemark.partitions.internal.policy.PolicyMemory;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The policy that an operator applied, and what it remembers, as rows. */
final class PolicyRows {
  private static final long FORMAT = 1;

  private final PartitionKeys keys;

  PolicyRows(PartitionKeys keys) {
    this.keys = keys;
  }

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

  Stored stored(ReadTransaction tx) {
    return tx.get(keys.policy())
        .map(Tuple::unpack)
        .map(row -> new Stored(row.getString(1), row.getLong(2)))
        .orElse(Stored.NONE);
  }

  /** Replaces the policy. What the one before remembered of its merges is forgotten. */
  Stored store(Transaction tx, String yaml) {
    Stored next = new Stored(yaml, stored(tx).revision() + 1);
    tx.set(keys.policy(), Tuple.of(FORMAT, next.yaml(), next.revision()).pack());
    PolicyMemory memory = memory(tx);
    storeMemory(tx, new PolicyMemory(memory.lastAction(), memory.lastActions(), Map.of()));
    return next;
  }

  PolicyMemory memory(ReadTransaction tx) {
    Optional<Tuple> row = tx.get(keys.policyState()).map(Tuple::unpack);
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

  void storeMemory(Transaction tx, PolicyMemory memory) {
    Tuple row =
        Tuple.of(FORMAT, memory.lastAction())
            .nest(flat(memory.lastActions()))
            .nest(flat(memory.mergeRounds()));
    tx.set(keys.policyState(), row.pack());
  }

  private static Tuple flat(Map<String, ? extends Number> map) {
    Tuple flat = Tuple.EMPTY;
    for (Map.Entry<String, ? extends Number> entry : map.entrySet()) {
      flat = flat.append(entry.getKey()).append(entry.getValue().longValue());
    }
    return flat;
  }
}
