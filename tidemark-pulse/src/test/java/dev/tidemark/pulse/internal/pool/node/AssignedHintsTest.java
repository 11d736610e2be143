package dev.tidemark.pulse.internal.pool.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.internal.pool.rows.AssignedHint;
import dev.tidemark.pulse.internal.pool.rows.Assignment;
import dev.tidemark.pulse.internal.pool.rows.JobClaim;
import dev.tidemark.pulse.internal.pool.rows.JobRow;
import dev.tidemark.pulse.internal.pool.rows.JobState;
import dev.tidemark.pulse.internal.pool.rows.PoolKeys;
import dev.tidemark.pulse.pool.RetryPolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AssignedHintsTest {
  private static final String WORKER = PoolKeys.worker("n1", 1);
  private static final AssignedHint HINT = AssignedHint.of("job", WORKER);

  private final AssignedHints hints = new AssignedHints();
  private final List<Long> started = new ArrayList<>();

  /** Looks once, so that the node need not search any more. */
  private void settle() {
    hints.take();
    hints.looked();
  }

  /** Tells of a job with {@code epoch}; whether that was enough. */
  private boolean tell(long epoch) {
    JobRow job =
        new JobRow(
            new JobState.Assigned(WORKER),
            epoch,
            0,
            0,
            false,
            0,
            0,
            null,
            null,
            RetryPolicy.NONE,
            null);
    Assignment assignment = AssignedHint.of("job", WORKER, job, new byte[0]).assignment().get();
    return hints.startAtOnce(assignment, started -> this.started.add(started.claim().epoch()));
  }

  private static JobClaim claim(long epoch) {
    return new JobClaim(WORKER, "job", epoch);
  }

  @Test
  void nodeSearchesFirstAndThenLooksAtWhatItIsTold() {
    assertThat(hints.take()).isEmpty();
    hints.add(HINT);

    assertThat(hints.take()).contains(List.of(HINT.row()));
    assertThat(hints.take()).contains(List.of());
  }

  @Test
  void nodeSearchesWhenItIsToldNoRow() {
    hints.take();
    hints.add(HINT);
    hints.search();
    hints.add(HINT);

    assertThat(hints.take()).isEmpty();
  }

  @Test
  void nodeSearchesWhenItIsToldTooMuch() {
    hints.take();
    for (int i = 0; i < 1_000; i++) {
      hints.add(HINT);
    }

    assertThat(hints.take()).isEmpty();
  }

  @Test
  void jobOfWhichAllWasToldIsStartedAtOnce() {
    settle();

    assertThat(tell(1)).isTrue();
    assertThat(started).containsExactly(1L);
  }

  @Test
  void nothingIsStartedAtOnceBeforeOrDuringALook() {
    assertThat(tell(1)).isFalse();
    hints.take();
    assertThat(tell(1)).isFalse();
    hints.looked();
    hints.search();
    assertThat(tell(1)).isFalse();

    assertThat(started).isEmpty();
  }

  @Test
  void jobThatASearchFoundIsNotStartedAgainWhenTheNodeIsToldOfIt() {
    hints.take();
    hints.found(claim(5));
    hints.looked();

    assertThat(tell(5)).isTrue();
    assertThat(started).isEmpty();
  }

  @Test
  void jobThatASearchFoundStaysKnownWhenTheNodeIsToldOfAnEarlierEpoch() {
    hints.take();
    hints.found(claim(6));
    hints.looked();

    assertThat(tell(5)).isTrue();
    assertThat(tell(6)).isTrue();
    assertThat(started).isEmpty();
  }

  @Test
  void jobThatASearchFoundIsStartedInALaterEpoch() {
    hints.take();
    hints.found(claim(5));
    hints.looked();

    assertThat(tell(6)).isTrue();
    assertThat(started).containsExactly(6L);
  }
}
