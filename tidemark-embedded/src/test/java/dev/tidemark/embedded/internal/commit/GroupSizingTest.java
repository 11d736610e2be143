package dev.tidemark.embedded.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupSizingTest {
  private static final long STEP = 50_000;
  private static final long SYNC = 1_000_000;
  private static final long QUICK = 300_000;

  private final Deque<Integer> arrivals = new ArrayDeque<>();
  private long now;
  private int steps;
  private int size;
  private int full = Integer.MAX_VALUE;

  private final GroupSizing sizing =
      new GroupSizing(
          () -> now,
          () -> {
            now += STEP;
            steps++;
          });

  /** The size of a group that begins with {@code first} while others come step by step. */
  private int gather(int first, Integer... coming) {
    arrivals.clear();
    arrivals.addAll(List.of(coming));
    size = first;
    steps = 0;
    sizing.gather(
        first,
        () -> {
          Integer came = arrivals.poll();
          size += came == null ? 0 : came;
          return size;
        },
        () -> size >= full);
    return size;
  }

  private void ended(int size, int waiting, long took) {
    now += took;
    sizing.ended(size, waiting, took);
  }

  @Test
  void theHalfThatWasServedIsWaitedForUntilAllAreThere() {
    ended(32, 32, SYNC);

    assertThat(gather(32, 10, 0, 12, 10, 5)).isEqualTo(64);
    assertThat(steps).isEqualTo(4);
  }

  @Test
  void nobodyIsWaitedForWhenNobodyComes() {
    ended(32, 32, SYNC);

    assertThat(gather(32)).isEqualTo(32);
    assertThat(steps).isEqualTo(2);
  }

  @Test
  void waitTakesNoMoreThanHalfOfTheLastGroup() {
    ended(32, 32, SYNC);

    gather(32, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);

    assertThat(steps * STEP).isEqualTo(SYNC / 2);
  }

  @Test
  void diskThatStoodStillMakesNobodyWaitForLong() {
    Integer[] oneByOne = new Integer[100];
    Arrays.fill(oneByOne, 1);
    ended(500, 500, 10_000_000_000L);

    gather(500, oneByOne);

    assertThat(steps * STEP).isEqualTo(2_000_000);
  }

  @Test
  void fewWritersAndFastDisksWaitForNothing() {
    ended(3, 4, SYNC);
    gather(4, 3);
    assertThat(steps).isZero();

    ended(32, 32, 100_000);
    gather(32, 32);
    assertThat(steps).isZero();
  }

  @Test
  void writersOfLongAgoAreNotWaitedFor() {
    ended(32, 32, SYNC);
    now += SYNC + 1;

    gather(1, 31);

    assertThat(steps).isZero();
  }

  @Test
  void waitsThatBringFewBecomeRare() {
    int waits = 0;
    for (int group = 0; group < 1_000; group++) {
      ended(32, 32, SYNC);
      gather(32);
      waits += steps > 0 ? 1 : 0;
    }

    assertThat(waits).isBetween(10, 25);
  }

  @Test
  void waitThatPaysIsMadeAgainAtOnce() {
    for (int group = 0; group < 100; group++) {
      ended(32, 32, SYNC);
      gather(32);
    }
    do {
      ended(32, 32, SYNC);
      gather(32, 32);
    } while (steps == 0);

    for (int group = 0; group < 10; group++) {
      ended(64, 0, SYNC);
      assertThat(gather(20, 44)).isEqualTo(64);
    }
  }

  @Test
  void unequalPartsOfTheClientsOfAServerBecomeHalves() {
    ended(16, 48, QUICK);
    assertThat(sizing.most()).isEqualTo(32);

    ended(32, 16, QUICK);
    assertThat(sizing.most()).isEqualTo(24);

    ended(24, 40, QUICK);
    assertThat(sizing.most()).isEqualTo(32);
  }

  @Test
  void halvesStayHalvesWhereverTheOtherOneIs() {
    ended(32, 32, QUICK);
    ended(32, 0, QUICK);
    assertThat(sizing.most()).isEqualTo(32);

    ended(32, 32, QUICK);
    assertThat(sizing.most()).isEqualTo(32);
  }

  @Test
  void clientsWhoAllComeTogetherStayTogether() {
    ended(64, 0, QUICK);
    ended(64, 0, QUICK);

    assertThat(sizing.most()).isEqualTo(64);
  }

  @Test
  void slowDiskTakesAllClientsAtOnce() {
    ended(16, 48, SYNC);

    assertThat(sizing.most()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void afterAPauseNobodyIsLeftToTheNextGroup() {
    ended(16, 48, QUICK);
    now += SYNC;

    assertThat(sizing.most()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void fewClientsAreNotDivided() {
    ended(4, 11, QUICK);

    assertThat(sizing.most()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void groupThatIsFullWaitsForNobody() {
    full = 40;
    ended(32, 32, SYNC);

    assertThat(gather(32, 8, 8, 8)).isEqualTo(40);
    assertThat(steps).isEqualTo(1);
  }

  @Test
  void clientsWhoAreBackSoonAreNotDivided() {
    ended(32, 32, QUICK);
    sizing.begins(gather(32, 32));
    ended(64, 0, QUICK);
    assertThat(sizing.most()).isEqualTo(Integer.MAX_VALUE);

    now += QUICK / 3;
    sizing.begins(64);
    ended(64, 0, QUICK);
    assertThat(sizing.most()).isEqualTo(Integer.MAX_VALUE);

    now += QUICK;
    sizing.begins(64);
    ended(64, 0, QUICK);
    assertThat(sizing.most()).isEqualTo(64);
  }

  @Test
  void clientsOfWhomSomeStayAwayAreDividedAgain() {
    ended(32, 32, QUICK);
    sizing.begins(gather(32, 16));
    ended(48, 16, QUICK);

    assertThat(sizing.most()).isEqualTo(40);
  }

  @Test
  void nowAndThenAllAreTakenToSeeHowSoonTheOthersAreBack() {
    List<Integer> taken = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      sizing.begins(32);
      ended(32, 32, QUICK);
      taken.add(sizing.most());
    }

    assertThat(taken).containsOnly(32, Integer.MAX_VALUE);
    assertThat(taken.stream().filter(most -> most > 32)).hasSize(3);
  }
}
