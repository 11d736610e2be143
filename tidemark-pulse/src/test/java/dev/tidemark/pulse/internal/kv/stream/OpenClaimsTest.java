package dev.tidemark.pulse.internal.kv.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.internal.kv.rows.SortedIds;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;

class OpenClaimsTest {
  private static EventId id(long number) {
    return new EventId(number / 10, number % 10);
  }

  /** Ten claims of ten events each, with gaps, acknowledged in pieces of any size and order. */
  @ParameterizedTest
  @SeedSource(count = 100)
  void claimIsDoneWithItsLastEventHoweverTheyAreNamed(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    OpenClaims claims = new OpenClaims();
    Map<EventId, Set<EventId>> left = new HashMap<>();
    List<EventId> waiting = new ArrayList<>();
    for (int claim = 0; claim < 10; claim++) {
      List<EventId> ids =
          LongStream.range(claim * 10L, claim * 10L + 10)
              .filter(number -> number % 10 == 9 || random.nextInt(3) > 0)
              .mapToObj(OpenClaimsTest::id)
              .toList();
      claims.add(ids.getLast(), ids, 100);
      left.put(ids.getLast(), new HashSet<>(ids));
      waiting.addAll(ids);
    }
    while (!waiting.isEmpty()) {
      List<EventId> named = new ArrayList<>();
      int begin = random.nextInt(waiting.size());
      int end = Math.min(waiting.size(), begin + 1 + random.nextInt(25));
      named.addAll(waiting.subList(begin, end));
      if (random.nextInt(4) == 0) {
        named.add(id(random.nextInt(200)));
      }
      Set<EventId> done = new HashSet<>();
      left.forEach(
          (last, ids) -> {
            assertThat(claims.couldFinish(last, new HashSet<>(named)) || ids.isEmpty())
                .as("seed " + seed)
                .isEqualTo(named.containsAll(ids));
            if (!ids.isEmpty() && ids.removeAll(new HashSet<>(named)) && ids.isEmpty()) {
              done.add(last);
            }
          });
      waiting.removeAll(new HashSet<>(named));

      claims.acknowledged(SortedIds.of(named));

      assertThat(new HashSet<>(claims.takeDone())).as("seed " + seed).isEqualTo(done);
    }
  }
}
