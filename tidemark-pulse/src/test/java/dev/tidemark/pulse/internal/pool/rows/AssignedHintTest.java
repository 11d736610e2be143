package dev.tidemark.pulse.internal.pool.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.pool.RetryPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AssignedHintTest {
  private static final String WORKER = PoolKeys.worker("n1", 1);
  private static final JobRow JOB =
      new JobRow(
          new JobState.Assigned(WORKER),
          7,
          1_700_000_000_000L,
          2,
          true,
          0,
          3,
          new Waiter("c1", 5),
          "once",
          RetryPolicy.NONE,
          "failed");

  private static AssignedHint throughTheChannel(AssignedHint hint) {
    return AssignedHint.decode(hint.encode());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 4_096})
  void carriesAllThatAStartTakes(int size) {
    byte[] payload = new byte[size];
    AssignedHint told = throughTheChannel(AssignedHint.of("job", WORKER, JOB, payload));

    Assignment assignment = told.assignment().orElseThrow();
    assertThat(assignment.claim()).isEqualTo(new JobClaim(WORKER, "job", 7));
    assertThat(assignment.job()).isEqualTo(JOB);
    assertThat(assignment.payload()).isEqualTo(payload);
  }

  @Test
  void leavesALargePayloadToARead() {
    AssignedHint told = throughTheChannel(AssignedHint.of("job", WORKER, JOB, new byte[4_097]));

    assertThat(told.assignment()).isEmpty();
    assertThat(told.row()).isEqualTo(PoolKeys.index(JOB.state(), "job"));
  }

  @Test
  void leavesMessagesToARead() {
    assertThat(AssignedHint.of("\0key", WORKER, JOB, new byte[0]).assignment()).isEmpty();
  }
}
