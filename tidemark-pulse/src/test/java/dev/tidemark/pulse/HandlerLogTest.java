package dev.tidemark.pulse;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Failures of handlers are logged: with the event for readers and sinks, with the map for maps. */
class HandlerLogTest {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  private final RuntimeException failure = new IllegalStateException("on purpose");

  private void fail(Object happened) {
    throw failure;
  }

  private void assertLogged(KeptLog kept, String stream) {
    assertLogged(kept, stream, "was not handled");
  }

  private void assertLogged(KeptLog kept, String name, String what) {
    eventually(
        "the failure is logged",
        () -> kept.records().stream().anyMatch(logged -> failure.equals(logged.getThrown())));
    assertThat(kept.records())
        .filteredOn(logged -> failure.equals(logged.getThrown()))
        .first()
        .satisfies(
            logged -> {
              assertThat(logged.getLevel()).isEqualTo(Level.WARNING);
              assertThat(logged.getMessage()).contains(name).contains(what);
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

  @Test
  void failureOfTheHandlersOfAMapIsLogged(Database database) {
    try (Pulse pulse = Pulse.on(database);
        ReplicatedMap<String, String> map = pulse.map("followed")) {
      try (KeptLog kept = KeptLog.open();
          Subscription kinds = map.onChange(this::fail)) {
        map.set("key", "1");
        assertLogged(kept, "'followed'", "its handler failed");
        eventually("the subscription ends", kinds::isEnded);
      }
      try (KeptLog kept = KeptLog.open();
          Subscription entries = map.onEntry(this::fail)) {
        map.set("key", "2");
        assertLogged(kept, "'followed'", "its handler failed");
        eventually("the subscription ends", entries::isEnded);
      }
    }
  }
}
