package dev.tidemark.grpc.internal.frames;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CrowdTest {
  private final Crowd crowd = new Crowd();

  /** {@code threads} ask for something, and all get their replies at once. */
  private void roundTrip(int threads) {
    for (int i = 0; i < threads; i++) {
      crowd.came();
    }
    crowd.sent(threads, threads);
    crowd.answered(threads);
  }

  @Test
  void fewThreadsAreNotWaitedFor() {
    roundTrip(4);
    crowd.came();
    assertThat(crowd.isMoreToCome()).isFalse();
  }

  @Test
  void halfOfACrowdIsWaitedFor() {
    roundTrip(20);
    for (int i = 0; i < 9; i++) {
      crowd.came();
      assertThat(crowd.isMoreToCome()).isTrue();
    }
    crowd.came();
    assertThat(crowd.isMoreToCome()).isFalse();
  }

  @Test
  void requestsThatLeftTheLineUnsentDoNotCount() {
    roundTrip(20);
    for (int i = 0; i < 10; i++) {
      crowd.came();
    }
    assertThat(crowd.isMoreToCome()).isFalse();
    crowd.left(1);
    assertThat(crowd.isMoreToCome()).isTrue();
  }

  @Test
  void nobodyWaitsForThreadsThatStillWaitThemselves() {
    for (int i = 0; i < 20; i++) {
      crowd.came();
    }
    crowd.sent(20, 20);
    crowd.answered(2);
    crowd.came();
    assertThat(crowd.isMoreToCome()).isTrue();
    crowd.came();
    assertThat(crowd.isMoreToCome()).isFalse();
  }

  @Test
  void threadsThatStayedAwayAreNotWaitedForAgain() {
    roundTrip(20);
    crowd.came();
    crowd.stayedAway();
    assertThat(crowd.isMoreToCome()).isFalse();
  }

  @Test
  void crowdThatHasLeftIsForgotten() {
    roundTrip(20);
    for (int i = 0; i < 1_000; i++) {
      roundTrip(2);
    }
    crowd.answered(2);
    crowd.came();
    assertThat(crowd.isMoreToCome()).isFalse();
  }
}
