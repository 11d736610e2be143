package dev.tidemark.pulse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class PoolLogTest {
  private static final Logger LOGGER = Logger.getLogger("dev.tidemark.pulse");

  /** Keeps what is logged. */
  private static final class Kept extends Handler {
    final List<LogRecord> records = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord logged) {
      records.add(logged);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void failuresThatNobodyListensToGoToTheLoggerThatIsDocumented() {
    Kept kept = new Kept();
    LOGGER.addHandler(kept);
    try {
      PoolOptions.LOG.accept(new PoolException("a job of this test fails"));
    } finally {
      LOGGER.removeHandler(kept);
    }
    assertThat(kept.records)
        .filteredOn(logged -> "a job of this test fails".equals(logged.getMessage()))
        .singleElement()
        .satisfies(
            logged -> {
              assertThat(logged.getLoggerName()).isEqualTo("dev.tidemark.pulse");
              assertThat(logged.getLevel()).isEqualTo(Level.WARNING);
              assertThat(logged.getThrown()).isInstanceOf(PoolException.class);
            });
  }
}
