package dev.tidemark.records.internal.query.scan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PortionsTest {
  @Test
  void portionsGrowWhereNobodyKnowsHowManyAreTaken() {
    Portions portions = new Portions(0, 0, false);
    assertThat(portions.size()).isEqualTo(32);
    portions.add(32, 32);
    assertThat(portions.size()).isEqualTo(64);
  }

  @Test
  void portionIsAsLargeAsTheRestNeeds() {
    Portions portions = new Portions(20, 60, false);
    assertThat(portions.size()).isEqualTo(60);
    portions.add(60, 15);
    assertThat(portions.size()).isEqualTo(20);
  }

  @Test
  void portionsGrowOnceMoreWasFoundThanExpected() {
    Portions portions = new Portions(10, 10, false);
    portions.add(10, 10);
    assertThat(portions.size()).isEqualTo(20);
    for (int i = 0; i < 5; i++) {
      portions.add(portions.size(), portions.size());
    }
    assertThat(portions.size()).isEqualTo(Portions.LARGEST);
  }

  @Test
  void firstPortionIsSmallWhereBytesAreLimited() {
    assertThat(new Portions(0, 0, true).size()).isEqualTo(Portions.SMALLEST);
    assertThat(new Portions(1_000, 1_000, true).size()).isEqualTo(Portions.SMALLEST);
    assertThat(new Portions(3, 3, true).size()).isEqualTo(3);
  }
}
