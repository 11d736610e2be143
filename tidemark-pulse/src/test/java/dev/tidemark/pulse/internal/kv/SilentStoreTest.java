package dev.tidemark.pulse.internal.kv;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.pulse.CopyLagException;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import dev.tidemark.testkit.decorate.ForwardingTransaction;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Writes that are committed, and of which the store answers nothing more that is asked. */
class SilentStoreTest {
  private static final Duration WAIT = Duration.ofSeconds(20);

  private final ManualTime time = ManualTime.standing();
  private final EmbeddedDatabase engine = EmbeddedDatabase.inMemory(o -> o.withTime(time));

  @AfterEach
  void close() {
    engine.close();
  }

  /**
   * Once silenced it takes commits from its thread and tells nothing more about them, as a server
   * that settled a commit in doubt and went away.
   */
  private static final class Silent extends ForwardingDatabase {
    private final Thread thread = Thread.currentThread();
    private volatile boolean silent;
    private volatile boolean settles;

    Silent(Database delegate) {
      super(delegate);
    }

    private void answer() {
      if (silent && Thread.currentThread().equals(thread)) {
        throw new UnavailableException(1039, "The store does not answer", null);
      }
    }

    @Override
    public boolean commitCanBeUnknown() {
      return true;
    }

    @Override
    public Instant timeOf(long version) {
      answer();
      return super.timeOf(version);
    }

    @Override
    public <T, X extends Exception> T read(ReadBody<T, X> body) throws X {
      answer();
      return super.read(body);
    }

    @Override
    public Transaction begin(TransactionOptions options) {
      return new ForwardingTransaction(delegate.begin(options)) {
        @Override
        public Versionstamp versionstamp() {
          if (settles) {
            throw UsageException.invalidOperation("The commit was in doubt");
          }
          return super.versionstamp();
        }
      };
    }
  }

  @Test
  void eventThatIsAddedIsAddedAlthoughTheTimeOfTheStoreIsNotToldAfterwards() {
    Silent store = new Silent(engine);
    try (Pulse pulse = Pulse.on(store)) {
      EventStream stream = pulse.stream("s", o -> o.withTimeToLive(Duration.ofHours(1)));
      stream.add("e", new byte[0]);
      time.advance(Duration.ofSeconds(2));
      store.silent = true;

      assertThat(stream.add("e", new byte[0])).isNotNull();
      store.silent = false;
      assertThat(stream.length()).isEqualTo(2);
    }
  }

  @Test
  void eventWhoseCommitWasInDoubtIsNotReportedAsOneThatFailed() {
    Silent store = new Silent(engine);
    try (Pulse pulse = Pulse.on(store)) {
      EventStream stream = pulse.stream("s");
      stream.add("e", new byte[0]);
      store.settles = true;
      store.silent = true;

      assertThatExceptionOfType(PulseException.class)
          .isThrownBy(() -> stream.add("e", "second".getBytes(UTF_8)))
          .withMessageContaining("was added")
          .withMessageContaining("Do not add it again")
          .withCauseInstanceOf(UnavailableException.class);
      store.silent = false;
      assertThat(stream.length()).isEqualTo(2);
    }
  }

  @Test
  void numberWhoseCommitWasInDoubtIsNotReportedAsOneThatFailed() {
    Silent store = new Silent(engine);
    try (Pulse pulse = Pulse.on(store);
        ReplicatedMap<String, String> map = pulse.map("m")) {
      map.increment("n", 1);
      store.settles = true;
      store.silent = true;

      assertThat(map.increment("n", 1)).isEqualTo(2);
      assertThatExceptionOfType(CopyLagException.class)
          .isThrownBy(() -> map.setAndWait("k", "v", WAIT))
          .withMessageContaining("was set");
      store.silent = false;
      map.setAndWait("end", "x", WAIT);
      assertThat(map.snapshot()).containsEntry("n", "2").containsEntry("k", "v");
    }
  }
}
