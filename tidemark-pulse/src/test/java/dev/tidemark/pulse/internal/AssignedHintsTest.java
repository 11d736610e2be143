package dev.tidemark.pulse.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Tuple;
import java.util.List;
import org.junit.jupiter.api.Test;

class AssignedHintsTest {
  private static final Tuple ROW =
      PoolKeys.index(new JobState.Assigned(PoolKeys.worker("n1", 1)), "job");

  private final AssignedHints hints = new AssignedHints();

  @Test
  void nodeSearchesFirstAndThenLooksAtWhatItIsTold() {
    assertThat(hints.take()).isEmpty();
    hints.add(AssignedHints.of(ROW));

    assertThat(hints.take()).contains(List.of(ROW));
    assertThat(hints.take()).contains(List.of());
  }

  @Test
  void nodeSearchesWhenItIsToldNoRow() {
    hints.take();
    hints.add(AssignedHints.of(ROW));
    hints.add(RowStore.NO_HINT);
    hints.add(AssignedHints.of(ROW));

    assertThat(hints.take()).isEmpty();
  }

  @Test
  void nodeSearchesWhenItIsToldTooMuch() {
    hints.take();
    for (int i = 0; i < 1_000; i++) {
      hints.add(AssignedHints.of(ROW));
    }

    assertThat(hints.take()).isEmpty();
  }
}
