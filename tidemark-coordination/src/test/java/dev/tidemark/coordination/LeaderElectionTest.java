package dev.tidemark.coordination;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Elections with their threads, on the clock of the machine. */
class LeaderElectionTest {
  private static final LeaderSeat LONG = new LeaderSeat(Tuple.of("s"), "x", Duration.ofMinutes(5));
  private static final LeaderSeat SHORT = new LeaderSeat(Tuple.of("s"), "x", Duration.ofSeconds(2));

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final Coordination place = Coordination.in(database, Subspace.of("c"));

  @AfterEach
  void close() {
    place.close();
    database.close();
  }

  private static class Told implements LeaderElection.Listener {
    final List<String> calls = new CopyOnWriteArrayList<>();

    @Override
    public void elected(Leadership leadership) {
      calls.add("elected " + leadership.term());
    }

    @Override
    public void lost(Leadership leadership) {
      calls.add("lost " + leadership.term());
    }
  }

  @Test
  void leaderThatClosesIsFollowedAtOnce() {
    Told first = new Told();
    Told second = new Told();
    LeaderElection a = new LeaderElection(place, LONG, "a", first);
    eventually("a leads", () -> a.current().isPresent());
    try (LeaderElection b = new LeaderElection(place, LONG, "b", second)) {
      assertThat(b.current()).isEmpty();

      a.close();
      eventually("b leads", () -> b.current().isPresent());

      assertThat(b.leader().orElseThrow().holder()).isEqualTo("b");
      assertThat(first.calls).containsExactly("elected 1", "lost 1");
      assertThat(a.current()).isEmpty();
    }
    assertThat(second.calls).containsExactly("elected 2", "lost 2");
  }

  @Test
  void leaderRenewsForAsLongAsItLives() {
    Told told = new Told();
    try (LeaderElection a = new LeaderElection(place, SHORT, "a", told)) {
      eventually("a leads", () -> a.current().isPresent());
      var begin = a.leader().orElseThrow().until();

      eventually(
          "the lease goes on",
          () -> a.leader().orElseThrow().until().isAfter(begin.plus(SHORT.length())));

      assertThat(told.calls).containsExactly("elected 1");
    }
  }

  @Test
  void leaderThatAnotherTermOvertookIsToldAndStandsAgain() {
    Told told = new Told();
    try (LeaderElection a = new LeaderElection(place, SHORT, "a", told)) {
      eventually("a leads", () -> a.current().isPresent());
      place
          .rows()
          .transact(
              rows -> {
                SHORT.resign(rows, 1);
                return SHORT.campaign(rows, "thief", place.storeTime().now());
              });

      eventually("a leads again", () -> told.calls.contains("elected 3"));

      assertThat(told.calls).startsWith("elected 1", "lost 1", "elected 3");
    }
  }

  @Test
  void leaderThatGivesItsTermUpIsFollowedByAnother() {
    Told first = new Told();
    try (LeaderElection a = new LeaderElection(place, SHORT, "a", first)) {
      eventually("a leads", () -> a.current().isPresent());
      Leadership given = a.current().orElseThrow();

      given.giveUp();

      assertThat(given.isHeld()).isFalse();
      assertThat(a.current()).isEmpty();
      eventually("another term begins", () -> first.calls.contains("elected 2"));
      assertThat(first.calls).startsWith("elected 1", "lost 1", "elected 2");
    }
  }

  /** Does nothing for a thread that is interrupted, like a served store. */
  private static final class HeedfulDatabase extends ForwardingDatabase {
    HeedfulDatabase(Database delegate) {
      super(delegate);
    }

    @Override
    public Transaction begin(TransactionOptions options) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedOperationException("Interrupted before the begin", null);
      }
      return super.begin(options);
    }
  }

  @Test
  void listenerThatLeavesItsThreadInterruptedDoesNotEndTheCandidacy() {
    Told told =
        new Told() {
          @Override
          public void elected(Leadership leadership) {
            super.elected(leadership);
            Thread.currentThread().interrupt();
          }
        };
    try (Coordination served =
            Coordination.in(new HeedfulDatabase(database), Subspace.of("served"));
        LeaderElection a = new LeaderElection(served, SHORT, "a", told)) {
      eventually("a leads", () -> a.current().isPresent());
      a.current().orElseThrow().giveUp();
      eventually("another term begins", () -> told.calls.contains("elected 2"));
    }
  }

  @Test
  void listenerThatLeavesItsThreadInterruptedHearsOfLaterChanges() {
    AtomicInteger calls = new AtomicInteger();
    Key key = Subspace.of("c").pack("listened to");
    try (KeyListening listening =
        KeyListening.start(
            database,
            key,
            "listening",
            () -> {
              calls.incrementAndGet();
              Thread.currentThread().interrupt();
            })) {
      assertThat(listening).isNotNull();
      for (int i = 1; i <= 3; i++) {
        int call = i;
        eventually("call " + call, () -> calls.get() >= call);
        database.run(tx -> tx.set(key, new byte[] {(byte) call}));
      }
    }
  }

  /** A renewal that throws an error is a failure like any other: the heartbeat goes on. */
  @Test
  void errorInARenewalDoesNotEndTheHeartbeat() {
    AtomicBoolean failed = new AtomicBoolean();
    AtomicBoolean again = new AtomicBoolean();
    HeldLease lease = new HeldLease(database.time(), Duration.ofSeconds(6));
    lease.renew(() -> true);
    Heartbeat.Steps steps =
        new Heartbeat.Steps() {
          @Override
          public boolean renew() {
            if (failed.compareAndSet(false, true)) {
              throw new StackOverflowError("once");
            }
            again.set(true);
            return true;
          }

          @Override
          public void beaten() {
            throw new AssertionError("the owner fails, too");
          }

          @Override
          public void failed(Throwable failure) {
            assertThat(failure).isInstanceOf(StackOverflowError.class);
          }
        };
    try (Heartbeat heartbeat = new Heartbeat("test", lease, steps)) {
      eventually("renewed after the error", again::get);
      assertThat(heartbeat).isNotNull();
    }
  }
}
