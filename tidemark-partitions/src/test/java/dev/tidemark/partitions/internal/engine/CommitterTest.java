package dev.tidemark.partitions.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.log.Journal;
import dev.tidemark.partitions.internal.log.LogRecord;
import dev.tidemark.partitions.internal.log.StoreJournals;
import dev.tidemark.testkit.model.ModelDatabase;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CommitterTest {
  private static final byte[] RECORD = new LogRecord(0, Optional.empty(), new byte[1]).encode();

  private record Told(CompletableFuture<Reason> end) implements Committer.Reply {
    @Override
    public void durable() {
      throw new NoClassDefFoundError("the reply");
    }

    @Override
    public void failed(PartitionException why) {
      end.complete(why.reason());
    }
  }

  @Test
  void aReplyThatCannotBeGivenLeavesNobodyOfItsBatchWithoutOne() {
    try (Fixture cluster = new Fixture(ModelDatabase.open())) {
      cluster.assign(Fixture.P, "n1", 1, PartitionRange.ALL);
      Journal journal =
          new StoreJournals(cluster.database, cluster.keys, "n1", 1, () -> 0).own(Fixture.P);
      journal.open(0);
      AtomicInteger changes = new AtomicInteger();
      Committer committer =
          new Committer(journal, 0, EngineOptions.DEFAULTS, changes::incrementAndGet);
      Told first = new Told(new CompletableFuture<>());
      Told second = new Told(new CompletableFuture<>());
      committer.append(RECORD, null, first);
      committer.append(RECORD, null, second);

      committer.start();

      // What became of them is not known to whoever is told so late.
      assertThat(first.end().join()).isEqualTo(Reason.IN_DOUBT);
      assertThat(second.end().join()).isEqualTo(Reason.IN_DOUBT);
      assertThat(cluster.logHead(Fixture.P).lsn()).isEqualTo(2);
      assertThat(changes).hasValue(1);
      committer.finish();
    }
  }
}
