package dev.tidemark.partitions.internal.engine;

import static dev.tidemark.partitions.internal.engine.EngineTest.reasonOf;
import static dev.tidemark.partitions.internal.engine.Fixture.P;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.CommitUnknownException;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.engine.Fixture.Server;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import dev.tidemark.testkit.decorate.ForwardingTransaction;
import dev.tidemark.testkit.model.ModelDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store that is away for a while, and appends that arrive after all hope for them was gone. */
class LateCommitTest {
  private Fixture cluster;
  private Network network;
  private Server server;

  @BeforeEach
  void open() {
    cluster = new Fixture(ModelDatabase.open());
    network = new Network(cluster.database);
    cluster.assign(P, "n1", 1, PartitionRange.ALL);
    server = cluster.server("n1", () -> true, network);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  /** What is between a server and its store. Used by one thread at a time. */
  private static final class Network extends ForwardingDatabase {
    private final List<Transaction> onTheirWay = new ArrayList<>();
    private volatile boolean stuck;
    private volatile boolean cut;

    Network(Database delegate) {
      super(delegate);
    }

    @Override
    public boolean commitCanBeUnknown() {
      return true;
    }

    @Override
    public Transaction begin(TransactionOptions options) {
      if (cut) {
        throw UnavailableException.unanswered("The network is cut", null);
      }
      return new Sent(delegate.begin(options));
    }

    /** The first commit that was stuck arrives; the others are lost. */
    boolean firstArrives() {
      stuck = false;
      boolean arrived = true;
      for (Transaction late : onTheirWay) {
        try (late) {
          if (late.equals(onTheirWay.getFirst())) {
            late.commit();
          }
        } catch (ConflictException | TransactionTooOldException refused) {
          arrived = false;
        }
      }
      onTheirWay.clear();
      return arrived;
    }

    private final class Sent extends ForwardingTransaction {
      private boolean kept;

      Sent(Transaction delegate) {
        super(delegate);
      }

      @Override
      public void commit() {
        if (stuck && delegate.hasWrites()) {
          kept = true;
          onTheirWay.add(delegate);
          throw new CommitUnknownException("It is on its way", null);
        }
        delegate.commit();
      }

      @Override
      public void close() {
        if (!kept) {
          delegate.close();
        }
      }
    }
  }

  @Test
  void appendThatArrivesAfterTheActorWasLoadedAgainIsRefused() {
    server.send("set a red");
    network.stuck = true;
    assertThat(reasonOf(() -> server.send("set a blue"))).isEqualTo(Reason.IN_DOUBT);
    network.stuck = false;
    assertThat(server.send("get a")).isEqualTo("red");

    assertThat(network.firstArrives()).isFalse();

    assertThat(server.send("set b green")).isEqualTo("green");
    cluster.assign(P, "n2", 2, PartitionRange.ALL);
    Server next = cluster.server("n2");
    assertThat(next.send(P, 2, "get a")).isEqualTo("red");
    assertThat(next.send(P, 2, "get b")).isEqualTo("green");
  }

  @Test
  void appendThatArrivesBeforeTheActorIsLoadedAgainIsThere() {
    server.send("set a red");
    network.stuck = true;
    assertThat(reasonOf(() -> server.send("set a blue"))).isEqualTo(Reason.IN_DOUBT);

    assertThat(network.firstArrives()).isTrue();

    assertThat(server.send("get a")).isEqualTo("blue");
    assertThat(server.send("set b green")).isEqualTo("green");
    assertThat(cluster.logHead(P).lsn()).isEqualTo(3);
  }

  @Test
  void whileTheStoreIsAwayAnActorThatIsNotLoadedIsBusyAndDoesNotFail() {
    network.cut = true;
    assertThat(reasonOf(() -> server.send("get a"))).isEqualTo(Reason.BUSY);
    assertThat(reasonOf(() -> server.host().prepare(P))).isEqualTo(Reason.BUSY);
    network.cut = false;
    assertThat(server.send("set a red")).isEqualTo("red");
  }

  @Test
  void aHandOverThatTheStoreDoesNotAnswerIsTriedAgain() {
    server.send("set a red");
    network.cut = true;
    assertThat(reasonOf(() -> server.host().quiesce(P, 1, Duration.ofSeconds(5))))
        .isEqualTo(Reason.BUSY);
    network.cut = false;
    assertThat(server.host().quiesce(P, 1, Duration.ofSeconds(5))).isEqualTo(1);
  }
}
