package dev.tidemark.partitions.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.coordination.Candidate;
import dev.tidemark.coordination.Coordination;
import dev.tidemark.coordination.FencedException;
import dev.tidemark.coordination.LeaderSeat;
import dev.tidemark.coordination.Leadership;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Subspace;
import dev.tidemark.kv.Tuple;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TermWritesTest {
  private static final Key KEY = Key.utf8("written");

  @Test
  void aFormerLeaderWritesNothing() {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory();
        Coordination place = Coordination.in(database, Subspace.of("election"))) {
      LeaderSeat seat = new LeaderSeat(Tuple.of("leader"), "manager", Duration.ofMinutes(1));
      Candidate first = new Candidate(place, seat, "m1");
      Leadership former = first.campaign().orElseThrow();
      TermWrites writes = writes(database, place, former);
      writes.run(tx -> tx.set(KEY, new byte[] {1}));
      first.resign(former);
      Leadership later = new Candidate(place, seat, "m2").campaign().orElseThrow();

      assertThatThrownBy(() -> writes.run(tx -> tx.set(KEY, new byte[] {2})))
          .isInstanceOf(FencedException.class);
      assertThat(database.read(tx -> tx.get(KEY)).orElseThrow()).containsExactly(1);
      writes(database, place, later).run(tx -> tx.set(KEY, new byte[] {3}));
      assertThat(database.read(tx -> tx.get(KEY)).orElseThrow()).containsExactly(3);
    }
  }

  private static TermWrites writes(
      EmbeddedDatabase database, Coordination place, Leadership leadership) {
    return new TermWrites(database, place.rows(), leadership, place.storeTime());
  }
}
