package dev.tidemark.partitions.internal.policy;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * What a policy has to remember from one round to the next. It is stored, so that a new leader does
 * not repeat an action.
 *
 * @param lastAction when the last action ended, in microseconds of the store's time; 0 for never
 * @param lastActions the same for each partition that rests
 * @param mergeRounds in how many rounds in succession a pair, named by its lower partition, could
 *     have been merged
 */
public record PolicyMemory(
    long lastAction, Map<String, Long> lastActions, Map<String, Integer> mergeRounds) {
  /**
   * The most partitions that rest at a time; those that have rested longest are forgotten first.
   */
  static final int RESTING = 1_000;

  /** Of a policy that has not acted yet. */
  public static final PolicyMemory EMPTY = new PolicyMemory(0, Map.of(), Map.of());

  /** Copies the maps. */
  public PolicyMemory {
    lastActions = Map.copyOf(lastActions);
    mergeRounds = Map.copyOf(mergeRounds);
  }

  /** After {@code action} ended at {@code now}, well or not. */
  public PolicyMemory after(Action action, long now) {
    Map<String, Long> actions = new HashMap<>(lastActions);
    action.partitions().forEach(partition -> actions.put(partition, now));
    while (actions.size() > RESTING) {
      actions.remove(Collections.min(actions.entrySet(), Map.Entry.comparingByValue()).getKey());
    }
    return new PolicyMemory(now, actions, mergeRounds);
  }

  PolicyMemory withMergeRounds(Map<String, Integer> rounds) {
    return new PolicyMemory(lastAction, lastActions, rounds);
  }

  /** Without partitions whose rest is over. */
  PolicyMemory forgetBefore(long micros) {
    Map<String, Long> kept = new HashMap<>(lastActions);
    kept.values().removeIf(at -> at < micros);
    return new PolicyMemory(lastAction, kept, mergeRounds);
  }
}
