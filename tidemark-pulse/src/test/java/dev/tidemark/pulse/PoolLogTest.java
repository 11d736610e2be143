package dev.tidemark.pulse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.pool.PoolException;
import dev.tidemark.pulse.pool.PoolOptions;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

class PoolLogTest {
  @Test
  void failuresThatNobodyListensToGoToTheLoggerThatIsDocumented() {
    try (KeptLog kept = KeptLog.open()) {
      PoolOptions.LOG.accept(new PoolException("a job of this test fails"));

      assertThat(kept.records())
          .filteredOn(logged -> "a job of this test fails".equals(logged.getMessage()))
          .singleElement()
          .satisfies(
              logged -> {
                assertThat(logged.getLoggerName()).isEqualTo(KeptLog.NAME);
                assertThat(logged.getLevel()).isEqualTo(Level.WARNING);
                assertThat(logged.getThrown()).isInstanceOf(PoolException.class);
              });
    }
  }
}
