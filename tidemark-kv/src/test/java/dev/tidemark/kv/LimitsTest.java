package dev.tidemark.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LimitsTest {
  @Test
  void versionCanBeReadForADayAtMost() {
    Duration day = Duration.ofDays(1);
    assertThat(Limits.DEFAULTS.withReadWindow(day).readWindow()).isEqualTo(day);
    for (Duration window : new Duration[] {day.plusNanos(1), Duration.ZERO, day.negated()}) {
      assertThatThrownBy(() -> Limits.DEFAULTS.withReadWindow(window))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("readWindow is " + window)
          .hasMessageContaining("a day at most");
    }
  }

  @Test
  void refusalSaysWhatTheLeastIs() {
    assertThat(Limits.DEFAULTS.withTransactionBytes(32).transactionBytes()).isEqualTo(32);
    assertThatThrownBy(() -> Limits.DEFAULTS.withTransactionBytes(31))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("transactionBytes is 31; it must be 32 or more");
    assertThatThrownBy(() -> Limits.DEFAULTS.withKeyBytes(0))
        .hasMessageContaining("keyBytes is 0; it must be 1 or more");
    assertThatThrownBy(() -> Limits.DEFAULTS.withValueBytes(-1))
        .hasMessageContaining("valueBytes is -1; it must be 1 or more");
    assertThatThrownBy(() -> Limits.DEFAULTS.withWatches(-1))
        .hasMessageContaining("watches is -1; it must be 0 or more");
  }
}
