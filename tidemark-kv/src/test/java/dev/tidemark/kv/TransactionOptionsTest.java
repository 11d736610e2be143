package dev.tidemark.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TransactionOptionsTest {
  private static final TransactionOptions DEFAULTS = TransactionOptions.DEFAULTS;

  @Test
  void limitsAreAbsentUntilTheyAreSet() {
    assertThat(DEFAULTS.sizeLimit()).isEmpty();
    assertThat(DEFAULTS.timeout()).isEmpty();

    TransactionOptions set = DEFAULTS.withSizeLimit(1_000).withTimeout(Duration.ofSeconds(1));
    assertThat(set.sizeLimit()).hasValue(1_000);
    assertThat(set.timeout()).contains(Duration.ofSeconds(1));
    assertThat(set.withoutSizeLimit().withoutTimeout()).isEqualTo(DEFAULTS);
  }

  @Test
  void zeroIsNoWordForNoLimit() {
    assertThatThrownBy(() -> DEFAULTS.withSizeLimit(0))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("sizeLimit is 0; it must be 32 or more")
        .hasMessageContaining("withoutSizeLimit()");
    assertThatThrownBy(() -> DEFAULTS.withTimeout(Duration.ZERO))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("timeout is PT0S; it must be positive")
        .hasMessageContaining("withoutTimeout()");
  }

  @Test
  void valuesThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> DEFAULTS.withSizeLimit(31)).isInstanceOf(UsageException.class);
    assertThatThrownBy(() -> DEFAULTS.withTimeout(Duration.ofDays(365)))
        .isInstanceOf(UsageException.class);
    assertThatThrownBy(() -> DEFAULTS.withMaxRetryDelay(Duration.ofNanos(-1)))
        .isInstanceOf(UsageException.class);
    assertThatThrownBy(() -> DEFAULTS.withRetryLimit(-1)).isInstanceOf(UsageException.class);
  }
}
