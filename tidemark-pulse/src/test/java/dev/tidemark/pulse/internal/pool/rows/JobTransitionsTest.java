package dev.tidemark.pulse.internal.pool.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.pool.PoolFullException;
import dev.tidemark.pulse.pool.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What those who wait for a job are told by the steps of its owner. */
class JobTransitionsTest {
  private static final PoolConfig CONFIG = new PoolConfig(1_000, 200, 100);
  private static final long NOW = 1_700_000_000_000L;
  private static final Waiter STARTER = new Waiter("c", 1);
  private static final Waiter STOPPER = new Waiter("c", 2);

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final RowStore store = RowStore.in(database, Subspace.of("pool"));

  @BeforeEach
  void dispatchToAWorker() {
    run(rows -> Membership.join(rows, "a", CONFIG, NOW));
    run(rows -> Membership.addWorker(rows, "a.1"));
    run(
        rows ->
            Dispatching.dispatch(
                rows,
                new Dispatching.Request(
                    "job", new byte[0], null, RetryPolicy.NONE, STARTER, null, 0),
                CONFIG,
                NOW));
  }

  @AfterEach
  void close() {
    store.close();
    database.close();
  }

  private void run(Consumer<Rows> step) {
    store.transact(
        rows -> {
          step.accept(rows);
          return true;
        });
  }

  private Optional<JobRow> job() {
    return store.read(rows -> JobTable.get(rows, "job"));
  }

  private JobClaim claim() {
    return new JobClaim("a.1", "job", job().orElseThrow().epoch());
  }

  private Optional<Reply> reply(Waiter waiter) {
    return store
        .read(rows -> rows.get(PoolKeys.REPLIES.append(waiter.client()).append(waiter.request())))
        .map(Reply::decode);
  }

  private void failStart() {
    JobClaim claim = claim();
    run(rows -> JobTransitions.startFailed(rows, claim, "no", Duration.ofMillis(200), NOW));
  }

  private void askToStop() {
    askToStop(1);
  }

  private void askToStop(int letter) {
    run(rows -> JobMail.stop(rows, "job", STOPPER, new JobMail.Stamp(NOW, "c", letter)));
  }

  private void assertStopped() {
    assertThat(reply(STOPPER)).get().extracting(Reply::success).isEqualTo(true);
    assertThat(job()).isEmpty();
  }

  @Test
  void failedStartOfAJobThatNobodyWaitsForAnyMoreLeavesItDead() {
    Optional<Reply> none = store.transact(rows -> JobOutcomes.giveUp(rows, "job", STARTER));
    failStart();

    assertThat(none).isEmpty();
    assertThat(job()).get().extracting(JobRow::state).isEqualTo(new JobState.Dead());
    assertThat(reply(STARTER)).isEmpty();
  }

  @Test
  void failedStartOfAJobWhoseDispatcherNeverHearsOfItLeavesItDead() {
    failStart();

    assertThat(job()).get().extracting(JobRow::state).isEqualTo(new JobState.Dead());
    assertThat(reply(STARTER)).get().extracting(Reply::text).isEqualTo("no");
    boolean replayed = store.transact(rows -> Dispatching.replay(rows, "job"));
    assertThat(replayed).isTrue();
    assertThat(job().orElseThrow().waiter()).isNull();
  }

  @Test
  void dispatcherThatHearsOfAFailedStartTakesTheJobAway() {
    failStart();
    run(rows -> JobOutcomes.heardFailure(rows, "job", new Waiter("other", 1)));
    assertThat(job()).isPresent();
    run(rows -> JobOutcomes.heardFailure(rows, "job", STARTER));

    assertThat(job()).isEmpty();
  }

  @Test
  void whoGivesUpTooLateLearnsTheAnswer() {
    failStart();

    Optional<Reply> answer = store.transact(rows -> JobOutcomes.giveUp(rows, "job", STARTER));

    assertThat(answer).get().extracting(Reply::text).isEqualTo("no");
  }

  @Test
  void whoAskedToStopIsToldWhenTheJobIsDone() {
    askToStop();
    JobClaim claim = claim();
    run(rows -> JobTransitions.finished(rows, claim, NOW));

    assertStopped();
  }

  @Test
  void whoAskedToStopBehindAFullBoxOfNotificationsIsTold() {
    for (int i = 0; i < JobMail.LETTERS_MAX; i++) {
      JobMail.Stamp stamp = new JobMail.Stamp(NOW - 1, "c", i);
      run(rows -> JobMail.notify(rows, "job", new byte[0], stamp));
    }
    askToStop();
    JobClaim claim = claim();
    run(rows -> JobTransitions.removed(rows, claim, NOW));

    assertStopped();
  }

  @Test
  void requestsToStopHaveALimitAsWell() {
    for (int i = 0; i < 2 * JobMail.LETTERS_MAX; i++) {
      askToStop(i);
    }

    assertThatThrownBy(() -> askToStop(-1))
        .isInstanceOf(PoolFullException.class)
        .hasMessageContaining("2,000 letters");
  }

  @Test
  void whoAskedToStopIsToldWhenTheStartFails() {
    askToStop();
    failStart();

    assertStopped();
    assertThat(reply(STARTER)).get().extracting(Reply::success).isEqualTo(false);
  }

  @Test
  void jobThatSomebodyAskedToStopIsForgottenAndNotBuried() {
    askToStop();
    JobClaim claim = claim();
    run(rows -> JobTransitions.runFailed(rows, claim, "no", NOW));

    assertStopped();
    assertThat(store.<List<Rows.Row>>read(rows -> rows.scan(PoolKeys.DEAD, 1))).isEmpty();
  }
}
