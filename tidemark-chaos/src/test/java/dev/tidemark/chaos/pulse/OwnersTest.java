package dev.tidemark.chaos.pulse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Message.Owned;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnersTest {
  @Test
  void ownersOneAfterTheOtherAreFine() {
    assertThat(
            Owners.overlaps(
                List.of(
                    new Owned("a", 1, 1_000),
                    new Owned("a", 1, 5_000),
                    new Owned("a", 2, 6_000),
                    new Owned("a", 7, 9_000))))
        .isEmpty();
  }

  @Test
  void ownersOfDifferentJobsMayOverlap() {
    assertThat(
            Owners.overlaps(
                List.of(
                    new Owned("a", 1, 1_000), new Owned("b", 2, 2_000), new Owned("a", 1, 3_000))))
        .isEmpty();
  }

  @Test
  void ownerWhoStillHasAJobThatWasGivenToAnotherIsFound() {
    assertThat(
            Owners.overlaps(
                List.of(
                    new Owned("a", 1, 1_000),
                    new Owned("a", 2, 2_000),
                    new Owned("a", 1, 9_000),
                    new Owned("a", 2, 9_500))))
        .containsExactly("a had an earlier owner for 7 us after it was owned with epoch 2");
  }

  @Test
  void orderInWhichTheMembersToldDoesNotMatter() {
    assertThat(
            Owners.overlaps(
                List.of(
                    new Owned("a", 3, 4_000), new Owned("a", 2, 3_000), new Owned("a", 1, 5_000))))
        .hasSize(2);
  }

  @Test
  void ownershipIsToldInOneLine() {
    Owned owned = new Owned("l-m1.2-3", 4, 5_000_000_000L);

    assertThat(Message.parse(owned.line())).contains(owned);
  }
}
