package dev.tidemark.partitions.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.coordination.Candidate;
import dev.tidemark.coordination.Coordination;
import dev.tidemark.coordination.FencedException;
import dev.tidemark.coordination.LeaderSeat;
import dev.tidemark.coordination.Leadership;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.partitions.internal.control.Control;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TermWritesTest {
  private static final Tuple KEY = Tuple.of("written");

  @Test
  void aFormerLeaderWritesNothing() {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory();
        Control control = Control.in(database, Subspace.of("cluster"))) {
      Coordination place = control.election();
      LeaderSeat seat = new LeaderSeat(Tuple.of("leader"), "manager", Duration.ofMinutes(1));
      Candidate first = new Candidate(place, seat, "m1");
      Leadership former = first.campaign().orElseThrow();
      TermWrites writes = new TermWrites(control, former);
      writes.run(rows -> rows.set(KEY, new byte[] {1}));
      first.resign(former);
      Leadership later = new Candidate(place, seat, "m2").campaign().orElseThrow();

      assertThatThrownBy(() -> writes.run(rows -> rows.set(KEY, new byte[] {2})))
          .isInstanceOf(FencedException.class);
      assertThat(control.rows().read(rows -> rows.get(KEY)).orElseThrow()).containsExactly(1);
      new TermWrites(control, later).run(rows -> rows.set(KEY, new byte[] {3}));
      assertThat(control.rows().read(rows -> rows.get(KEY)).orElseThrow()).containsExactly(3);
    }
  }
}
