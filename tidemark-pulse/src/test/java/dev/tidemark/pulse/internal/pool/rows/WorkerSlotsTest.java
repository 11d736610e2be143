package dev.tidemark.pulse.internal.pool.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class WorkerSlotsTest {
  private static final int KEYS = 20_000;

  private static WorkerSlots slots(String... workers) {
    WorkerSlots slots = WorkerSlots.EMPTY;
    for (String worker : workers) {
      slots = slots.with(worker);
    }
    return slots;
  }

  private static Map<String, String> routes(WorkerSlots slots) {
    Map<String, String> routes = new HashMap<>();
    for (int i = 0; i < KEYS; i++) {
      routes.put("key-" + i, slots.route("key-" + i).orElseThrow());
    }
    return routes;
  }

  /** The keys that moved, as the workers from and to which they did. */
  private static Set<String> moves(WorkerSlots before, WorkerSlots after) {
    Map<String, String> old = routes(before);
    Set<String> moves = new TreeSet<>();
    routes(after)
        .forEach(
            (key, worker) -> {
              if (!worker.equals(old.get(key))) {
                moves.add(old.get(key) + ">" + worker);
              }
            });
    return moves;
  }

  @Test
  void emptyRingHasNoWorkerForAKey() {
    assertThat(WorkerSlots.EMPTY.route("a")).isEmpty();
    assertThat(WorkerSlots.EMPTY.isEmpty()).isTrue();
  }

  @Test
  void workerThatGoesGivesAwayItsKeysAndNoOtherKeyMoves() {
    WorkerSlots slots = slots("a", "b", "c", "d");

    assertThat(moves(slots, slots.without("a"))).containsExactly("a>b", "a>c", "a>d");
    assertThat(moves(slots, slots.without("d"))).containsExactly("d>a", "d>b", "d>c");
  }

  @Test
  void newWorkerFillsTheFirstHoleAndGetsTheKeysOfTheOneBefore() {
    WorkerSlots slots = slots("a", "b", "c", "d");
    WorkerSlots replaced = slots.without("b").with("e");

    assertThat(replaced.slots()).containsExactly("a", "e", "c", "d");
    assertThat(moves(slots, replaced)).containsExactly("b>e");
    assertThat(moves(slots.without("b"), replaced)).containsExactly("a>e", "c>e", "d>e");
  }

  @Test
  void newWorkerAtTheEndOnlyTakes() {
    WorkerSlots slots = slots("a", "b", "c");

    assertThat(moves(slots, slots.with("d"))).containsExactly("a>d", "b>d", "c>d");
  }

  @Test
  void holesAtTheEndVanish() {
    WorkerSlots slots = slots("a", "b", "c").without("b").without("c");

    assertThat(slots).isEqualTo(slots("a"));
    assertThat(slots.without("a")).isEqualTo(WorkerSlots.EMPTY);
  }

  @Test
  void keysAreSpreadEvenlyAlsoOverHoles() {
    WorkerSlots slots = slots("a", "b", "c", "d", "e", "f").without("a").without("c").without("d");
    Map<String, Integer> counts = new HashMap<>();
    routes(slots).values().forEach(worker -> counts.merge(worker, 1, Integer::sum));

    assertThat(counts).containsOnlyKeys("b", "e", "f");
    assertThat(counts.values()).allMatch(count -> count > KEYS * 0.3 && count < KEYS * 0.37);
  }

  @Test
  void ringSurvivesItsBytes() {
    WorkerSlots slots = slots("a", "b", "c").without("b");

    assertThat(WorkerSlots.decode(Optional.of(slots.encode()))).isEqualTo(slots);
    assertThat(WorkerSlots.decode(Optional.empty()).workers()).isEqualTo(List.of());
  }
}
