package dev.tidemark.remote;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A client goes by the time of the store, not by that of its own machine. */
class StoreTimeTest {
  /** The machine's clock, set wrong by a number of hours. */
  private record WrongClock(TimeSource right, long hours) implements TimeSource {
    @Override
    public long wallMicros() {
      return right.wallMicros() + Duration.ofHours(hours).toNanos() / 1_000;
    }

    @Override
    public long nanos() {
      return right.nanos();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      right.sleep(duration);
    }
  }

  @Test
  void clientsWhoseClocksAreWrongAgreeWithTheStore() {
    TimeSource machine = TimeSource.system();
    try (EmbeddedDatabase served = EmbeddedDatabase.inMemory();
        DatabaseServer server = DatabaseServer.open(served);
        RemoteDatabase ahead =
            RemoteDatabase.connect(server.uri(), o -> o.withTime(new WrongClock(machine, 48)));
        RemoteDatabase behind =
            RemoteDatabase.connect(server.uri(), o -> o.withTime(new WrongClock(machine, -48)))) {
      for (RemoteDatabase client : new RemoteDatabase[] {ahead, behind}) {
        Instant before = served.time().instant().minusSeconds(60);
        Instant told = client.time().instant();
        assertThat(told).isBetween(before, served.time().instant());
        assertThat(client.timeOf(commit(client))).isBetween(before, before.plusSeconds(120));
      }
    }
  }

  private static long commit(RemoteDatabase client) {
    try (Transaction tx = client.begin()) {
      tx.set(Key.utf8("a"), new byte[0]);
      tx.commit();
      return tx.committedVersion();
    }
  }

  @Test
  void storeIsAskedAgainAfterAMinute() {
    ManualTime store = ManualTime.standing();
    ManualTime machine = ManualTime.standing();
    try (EmbeddedDatabase served = EmbeddedDatabase.inMemory(o -> o.withTime(store));
        DatabaseServer server = DatabaseServer.open(served);
        RemoteDatabase client =
            RemoteDatabase.connect(
                server.uri(),
                o -> o.withTime(machine).withRequestTimeout(Duration.ofMillis(400)))) {
      store.advance(Duration.ofHours(3));
      assertThat(client.time().instant()).isBefore(store.instant());
      machine.advance(Duration.ofSeconds(61));
      eventually(
          "the client knows the store's time",
          () -> client.time().instant().equals(store.instant()));
    }
  }
}
