package dev.tidemark.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SeedProviderTest {
  @Test
  void seedsAreFixedByDefault() {
    assertThat(SeedProvider.seeds("", 3).toArray()).containsExactly(1, 2, 3);
  }

  @Test
  void chosenSeedRunsAlone() {
    assertThat(SeedProvider.seeds("-42", 3).toArray()).containsExactly(-42);
  }

  @Test
  void randomAddsOneSeedToTheFixedOnes() {
    assertThat(SeedProvider.seeds("random", 3).toArray()).hasSize(4).startsWith(1, 2, 3);
  }

  @Test
  void seedThatIsNoNumberIsRefused() {
    assertThatThrownBy(() -> SeedProvider.seeds("x", 3)).isInstanceOf(NumberFormatException.class);
  }
}
