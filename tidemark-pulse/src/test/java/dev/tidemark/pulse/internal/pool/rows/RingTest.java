package dev.tidemark.pulse.internal.pool.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RingTest {
  private static final int KEYS = 20_000;

  private static Ring ring(String... workers) {
    Ring ring = Ring.EMPTY;
    for (String worker : workers) {
      ring = ring.with(worker);
    }
    return ring;
  }

  private static Map<String, String> routes(Ring ring) {
    Map<String, String> routes = new HashMap<>();
    for (int i = 0; i < KEYS; i++) {
      routes.put("key-" + i, ring.route("key-" + i).orElseThrow());
    }
    return routes;
  }

  /** The keys that moved, as the workers from and to which they did. */
  private static Set<String> moves(Ring before, Ring after) {
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
    assertThat(Ring.EMPTY.route("a")).isEmpty();
    assertThat(Ring.EMPTY.isEmpty()).isTrue();
  }

  @Test
  void workerThatGoesGivesAwayItsKeysAndNoOtherKeyMoves() {
    Ring ring = ring("a", "b", "c", "d");

    assertThat(moves(ring, ring.without("a"))).containsExactly("a>b", "a>c", "a>d");
    assertThat(moves(ring, ring.without("d"))).containsExactly("d>a", "d>b", "d>c");
  }

  @Test
  void newWorkerFillsTheFirstHoleAndGetsTheKeysOfTheOneBefore() {
    Ring ring = ring("a", "b", "c", "d");
    Ring replaced = ring.without("b").with("e");

    assertThat(replaced.slots()).containsExactly("a", "e", "c", "d");
    assertThat(moves(ring, replaced)).containsExactly("b>e");
    assertThat(moves(ring.without("b"), replaced)).containsExactly("a>e", "c>e", "d>e");
  }

  @Test
  void newWorkerAtTheEndOnlyTakes() {
    Ring ring = ring("a", "b", "c");

    assertThat(moves(ring, ring.with("d"))).containsExactly("a>d", "b>d", "c>d");
  }

  @Test
  void holesAtTheEndVanish() {
    Ring ring = ring("a", "b", "c").without("b").without("c");

    assertThat(ring).isEqualTo(ring("a"));
    assertThat(ring.without("a")).isEqualTo(Ring.EMPTY);
  }

  @Test
  void keysAreSpreadEvenlyAlsoOverHoles() {
    Ring ring = ring("a", "b", "c", "d", "e", "f").without("a").without("c").without("d");
    Map<String, Integer> counts = new HashMap<>();
    routes(ring).values().forEach(worker -> counts.merge(worker, 1, Integer::sum));

    assertThat(counts).containsOnlyKeys("b", "e", "f");
    assertThat(counts.values()).allMatch(count -> count > KEYS * 0.3 && count < KEYS * 0.37);
  }

  @Test
  void ringSurvivesItsBytes() {
    Ring ring = ring("a", "b", "c").without("b");

    assertThat(Ring.decode(Optional.of(ring.encode()))).isEqualTo(ring);
    assertThat(Ring.decode(Optional.empty()).workers()).isEqualTo(List.of());
  }
}
