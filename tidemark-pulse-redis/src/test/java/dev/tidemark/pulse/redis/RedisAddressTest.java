package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses that are mistaken. */
class RedisAddressTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost:6379",
        "pulse:secret@localhost:6379",
        "redis://pulse:secret@local host:6379",
        "redis://pulse:/secret/@localhost:6379 "
      })
  void addressThatIsNoneIsQuotedWithoutItsPassword(String address) {
    Throwable refusal = catchThrowable(() -> RedisPulse.connect(address));

    assertThat(refusal)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("redis://host:6379");
    StringWriter trace = new StringWriter();
    refusal.printStackTrace(new PrintWriter(trace, true));
    assertThat(trace.toString()).doesNotContain("secret");
  }

  @Test
  void passwordWithSignsOfAnAddressIsNotShown() {
    assertThat(RedisOptions.at("redis://pulse:@/secret@localhost:6379"))
        .hasToString("RedisOptions(redis://…@localhost:6379)");
  }

  /** Other tests run at the same time, with some dozens of threads at most. */
  @Test
  void addressesThatAreRefusedLeaveNoThreads() {
    int attempts = 300;
    long before = threads();
    for (int i = 0; i < attempts; i++) {
      assertThatIllegalArgumentException().isThrownBy(() -> RedisPulse.connect("localhost:6379"));
    }

    assertThat(threads() - before).isLessThan(attempts / 2);
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("lettuce-"))
        .count();
  }
}
