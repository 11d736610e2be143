package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;
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
}
