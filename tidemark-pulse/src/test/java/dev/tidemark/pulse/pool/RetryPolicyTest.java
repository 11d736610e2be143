package dev.tidemark.pulse.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tidemark.kv.UsageException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
  private static List<Long> delays(RetryPolicy policy, int failures) {
    return IntStream.rangeClosed(1, failures)
        .mapToObj(failure -> policy.delayAfter(failure).toMillis())
        .toList();
  }

  @Test
  void delayDoublesUpToTheLongest() {
    RetryPolicy policy = new RetryPolicy(10, Duration.ofMillis(100), Duration.ofMillis(750));

    assertThat(delays(policy, 6)).containsExactly(100L, 200L, 400L, 750L, 750L, 750L);
  }

  @Test
  void delaysOfTheShortFormEndAtAMinuteOrAtTheFirst() {
    assertThat(delays(RetryPolicy.of(9, Duration.ofSeconds(10)), 5))
        .containsExactly(10_000L, 20_000L, 40_000L, 60_000L, 60_000L);
    assertThat(delays(RetryPolicy.of(9, Duration.ofMinutes(5)), 2))
        .containsExactly(300_000L, 300_000L);
  }

  @Test
  void manyFailuresAreCountedWithoutOverflow() {
    RetryPolicy policy =
        new RetryPolicy(Integer.MAX_VALUE, Duration.ofNanos(1), Duration.ofDays(365));

    assertThat(policy.delayAfter(Integer.MAX_VALUE)).isEqualTo(Duration.ofDays(365));
    assertThat(RetryPolicy.NONE.delayAfter(Integer.MAX_VALUE)).isZero();
  }

  @Test
  void valuesThatMakeNoSenseAreRefused() {
    Duration second = Duration.ofSeconds(1);

    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> new RetryPolicy(0, second, second))
        .withMessageContaining("attemptsMax is 0");
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> new RetryPolicy(1, second.negated(), second))
        .withMessageContaining("firstDelay");
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> new RetryPolicy(1, second, Duration.ZERO))
        .withMessageContaining("delayMax");
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> new RetryPolicy(1, second, Duration.ofSeconds(Long.MAX_VALUE)))
        .withMessageContaining("century");
  }
}
