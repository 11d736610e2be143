package dev.tidemark.chaos.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CounterHistoryTest {
  private final CounterHistory history = new CounterHistory("c");

  @Test
  void operationsAtTheSameTimeMayComeInAnyOrder() {
    history.added(0, 100, 2);
    history.added(10, 90, 1);
    history.read(20, 80, 0);
    history.read(20, 80, 2);
    history.added(110, 120, 3);
    history.read(130, 140, 3);

    assertThat(history.violations()).isEmpty();
  }

  @Test
  void additionInDoubtMayHaveHappenedOrNot() {
    history.added(0, 10, 1);
    history.inDoubt();
    history.inDoubt();
    history.added(20, 30, 3);

    assertThat(history.violations()).isEmpty();
  }

  @Test
  void sumThatWentBackIsFound() {
    history.added(0, 10, 1);
    history.added(20, 30, 2);
    history.read(40, 50, 1);

    assertThat(history.violations()).singleElement().asString().contains("after the sum 2");
  }

  @Test
  void sumThatTwoAdditionsMadeIsFound() {
    history.added(0, 10, 1);
    history.added(0, 10, 1);

    assertThat(history.violations()).singleElement().asString().contains("two additions");
  }

  @Test
  void additionThatWasCarriedOutTwiceIsFound() {
    history.added(0, 10, 1);
    history.added(20, 30, 3);

    assertThat(history.violations()).singleElement().asString().contains("1 additions of 3");
  }

  @Test
  void readOfWhatComesLaterIsFound() {
    history.read(0, 10, 1);
    history.added(20, 30, 1);

    assertThat(history.violations())
        .anySatisfy(why -> assertThat(why).contains("read of 1 from 0 to 10 ended before"));
  }
}
