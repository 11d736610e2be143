package dev.tidemark.changes.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.changes.ChangeRecord;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.ResumePoint;
import dev.tidemark.changes.ScriptedSource;
import dev.tidemark.changes.internal.watermark.Frontier;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadStateTest {
  private final ScriptedSource source = new ScriptedSource(1, 1);

  private ReadState state() {
    return new ReadState(ResumePoint.at(ScriptedSource.position(1)), source::compare);
  }

  private List<DataChange> changes(int count) {
    for (int i = 0; i < count; i++) {
      source.commit(0);
    }
    return source.committed();
  }

  @Test
  void theFrontierWaitsUntilChangesReadTogetherWereHandedOver() {
    ReadState state = state();
    for (DataChange change : changes(3)) {
      assertThat(state.take(change)).isTrue();
      assertThat(state.frontier()).isEqualTo(Frontier.before(ScriptedSource.position(1)));
    }
    assertThat(state.position()).isEqualTo(ScriptedSource.position(4));
    state.handedOver();
    assertThat(state.frontier()).isEqualTo(Frontier.before(ScriptedSource.position(4)));
  }

  @Test
  void whatWasReadBeforeDoesNotTakeTheFrontierBack() {
    ReadState state = state();
    DataChange change = changes(1).getFirst();
    assertThat(state.take(change)).isTrue();
    state.handedOver();
    assertThat(state.take(new ChangeRecord.Heartbeat(change.position(), Instant.EPOCH))).isTrue();
    assertThat(state.take(change)).isFalse();
    state.handedOver();
    assertThat(state.frontier()).isEqualTo(Frontier.through(change.position()));
  }
}
