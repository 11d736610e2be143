package dev.tidemark.pulse.internal.kv.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.EventId;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

class SortedIdsTest {
  private static List<EventId> random(SplittableRandom random, int most) {
    return Stream.generate(() -> new EventId(random.nextInt(6), random.nextInt(6)))
        .limit(random.nextInt(most))
        .toList();
  }

  @ParameterizedTest
  @SeedSource(count = 200)
  void answersAreThoseOfATree(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<EventId> some = random(random, 40);
    if (random.nextBoolean()) {
      some = List.copyOf(new TreeSet<>(some));
    }
    TreeSet<EventId> tree = new TreeSet<>(some);
    SortedIds ids = SortedIds.of(some);

    assertThat(new ArrayList<>(ids)).as("seed " + seed).isEqualTo(new ArrayList<>(tree));
    assertThat(ids.first()).isEqualTo(tree.isEmpty() ? null : tree.first());
    List<EventId> others = List.copyOf(new TreeSet<>(random(random, 40)));
    assertThat(ids.among(others))
        .as("seed " + seed)
        .isEqualTo(others.stream().filter(tree::contains).toList());
    for (EventId other : others) {
      assertThat(ids.contains(other)).isEqualTo(tree.contains(other));
      assertThat(ids.higher(other)).isEqualTo(tree.higher(other));
      EventId end = new EventId(other.major() + random.nextInt(3), other.minor() + 1);
      assertThat(ids.between(other, end))
          .as("seed " + seed)
          .isEqualTo(List.copyOf(tree.subSet(other, true, end, true)));
    }
  }

  @Test
  void noIdsAreInNothing() {
    SortedIds none = SortedIds.of(List.of());

    assertThat(none.first()).isNull();
    assertThat(none).isEmpty();
    assertThat(none.among(List.of(EventId.ZERO))).isEmpty();
    assertThat(SortedIds.of(List.of(EventId.ZERO)).among(List.of())).isEmpty();
  }
}
