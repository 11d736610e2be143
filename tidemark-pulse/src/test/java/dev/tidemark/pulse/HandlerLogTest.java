package dev.tidemark.pulse;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Failures of handlers are logged with the event, for readers as for sinks. */
class HandlerLogTest {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  private final RuntimeException failure = new IllegalStateException("on purpose");

  private void fail(Event event) {
    throw failure;
  }

  private void assertLogged(KeptLog kept, String stream) {
    eventually(
        "the failure is logged",
        () -> kept.records().stream().anyMatch(logged -> failure.equals(logged.getThrown())));
    assertThat(kept.records())
        .filteredOn(logged -> failure.equals(logged.getThrown()))
        .first()
        .satisfies(
            logged -> {
              assertThat(logged.getLevel()).isEqualTo(Level.WARNING);
              assertThat(logged.getMessage()).contains(stream).contains("was not handled");
            });
  }

  @Test
  void failureOfTheHandlerOfAReaderIsLogged(Database database) {
    try (Pulse pulse = Pulse.on(database);
        KeptLog kept = KeptLog.open()) {
      EventStream stream = pulse.stream("read-by-readers");
      try (Reader reader = stream.reader()) {
        Subscription subscription = reader.subscribe(this::fail);
        stream.add("e", new byte[0]);

        assertLogged(kept, stream.name());
        eventually("the subscription ends", subscription::isEnded);
      }
    }
  }

  @Test
  void failureOfTheHandlerOfASinkIsLogged(Database database) {
    try (Pulse pulse = Pulse.on(database);
        KeptLog kept = KeptLog.open()) {
      EventStream stream = pulse.stream("read-by-sinks");
      try (Sink sink = stream.sink("sink")) {
        sink.subscribe(this::fail);
        stream.add("e", new byte[0]);

        assertLogged(kept, stream.name());
      }
    }
  }
}
