package dev.tidemark.changes.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.changes.ChangeReaderException;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.Delivery;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.OrderMode;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.PartitionRow.State;
import dev.tidemark.changes.Position;
import dev.tidemark.changes.PositionKeeper;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.ResumePoint;
import dev.tidemark.changes.ScriptedSource;
import dev.tidemark.changes.internal.delivery.Calls;
import dev.tidemark.changes.internal.delivery.Gate;
import dev.tidemark.changes.internal.delivery.Outlets;
import dev.tidemark.changes.internal.partition.Run;
import dev.tidemark.changes.internal.watermark.Frontier;
import dev.tidemark.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/**
 * A process that is lost at one named point, and what the next one finds and does. Each test is a
 * row of the table of crash points in docs/changes.md.
 */
class NamedCrashPointsTest {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final PositionKeeper NO_KEEPER = (token, epoch) -> Optional.empty();

  private final ManualTime time = ManualTime.standing();
  private final ScriptedSource source = new ScriptedSource(2, 4);
  private final FaultyMetadata store =
      new FaultyMetadata(MetadataStore.inMemory(time), new SplittableRandom(1));
  private ReaderOptions options =
      ReaderOptions.forRun("run")
          .withOrder(OrderMode.UNORDERED)
          .withTime(time)
          .withLease(LEASE)
          .withManualAck();
  private int members;

  /** A reader without threads: each thing that it does is a call. */
  private final class OneReader {
    private final Engine engine;
    private final Map<String, PartitionSession> sessions = new HashMap<>();
    private final ArrayDeque<Runnable> calls = new ArrayDeque<>();
    private final List<Delivery> delivered = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();

    OneReader(Position start, PositionKeeper keeper) {
      Run run =
          Run.open(
              store,
              source,
              options.run(),
              "m" + ++members,
              start,
              options.end().map(source::until));
      ReentrantLock cut = new ReentrantLock();
      Gate gate = new Gate();
      engine =
          new Engine(
              source,
              run,
              options,
              Outlets.of(
                  options.order(),
                  calls::add,
                  new Calls(gate, false, time).each(delivered::add),
                  gate,
                  failures::add,
                  source::compare,
                  1,
                  options.inFlightPerPartition(),
                  cut),
              keeper,
              () -> 0.5,
              failures::add,
              cut);
    }

    /** Finishes what is done, claims what is free, and begins to read it. */
    OneReader tick() {
      engine.tick().forEach(each -> sessions.put(each.claimed().token(), each));
      return this;
    }

    boolean has(String token) {
      return sessions.containsKey(token);
    }

    PartitionSession session(String token) {
      return Objects.requireNonNull(sessions.get(token), token);
    }

    Step readOnly(String token) {
      try {
        return session(token).step(Duration.ZERO);
      } catch (InterruptedException interrupt) {
        throw new AssertionError(interrupt);
      }
    }

    Step read(String token) {
      Step step = readOnly(token);
      while (!calls.isEmpty()) {
        calls.removeFirst().run();
      }
      return step;
    }

    /** Reads until there is nothing more for now. */
    OneReader readAll(String token) {
      for (int i = 0; i < 1_000; i++) {
        if (!(read(token) instanceof Step.Read)) {
          return this;
        }
      }
      throw new AssertionError(token + " has no end");
    }

    OneReader ackAll() {
      List.copyOf(delivered).forEach(Delivery::ack);
      return this;
    }

    OneReader flush() {
      engine.flush();
      return this;
    }

    List<String> ids() {
      return delivered.stream().map(each -> each.change().id()).toList();
    }
  }

  private OneReader process() {
    return new OneReader(source.earliest(), NO_KEEPER);
  }

  /** The process is lost, and its lease ends. */
  private void crash() {
    time.advance(LEASE.multipliedBy(2));
  }

  private void crashes(Runnable call) {
    assertThatThrownBy(call::run).isInstanceOf(FaultyMetadata.Crash.class);
    crash();
  }

  private Optional<PartitionRow> find(String token) {
    return store.read("run", rows -> rows.partition(1, token));
  }

  private PartitionRow row(String token) {
    return find(token).orElseThrow();
  }

  private State state(String token) {
    return row(token).state();
  }

  private List<ChangeSource.Query> queries(String token) {
    return source.queries().stream().filter(query -> query.token().equals(token)).toList();
  }

  private Position from(String token) {
    return queries(token).getLast().from();
  }

  private List<String> committed() {
    return source.committed().stream().map(change -> change.id()).toList();
  }

  /** A process that has read the root and claimed what is alive. */
  private OneReader begun() {
    return process().tick().readAll(ChangeSource.ROOT).tick();
  }

  /** The next process, which has claimed what it may. */
  private OneReader next() {
    return process().tick();
  }

  // ---- the beginning of a run

  @Test
  void c1NothingIsStoredBeforeTheRunIsRegisteredAndTheNextStartCounts() {
    store.crashBeforeNext();
    crashes(this::process);
    assertThat(store.<Boolean>read("run", rows -> rows.run().isEmpty())).isTrue();
    source.tick();
    source.tick();
    new OneReader(source.now(), NO_KEEPER).tick().read(ChangeSource.ROOT);
    assertThat(queries(ChangeSource.ROOT)).hasSize(1);
    assertThat(from(ChangeSource.ROOT)).isEqualTo(source.now());
  }

  @Test
  void c2RegisteredRunBeginsAtItsStoredStartWhateverTheNextProcessIsToldToDo() {
    Position start = source.now();
    store.crashAfterNext();
    crashes(() -> new OneReader(start, NO_KEEPER));
    assertThat(state(ChangeSource.ROOT)).isEqualTo(State.CREATED);
    source.tick();
    new OneReader(source.now(), NO_KEEPER).tick().read(ChangeSource.ROOT);
    assertThat(from(ChangeSource.ROOT)).isEqualTo(start);
  }

  @Test
  void c3FirstPartitionsOfWhichSomeAreStoredAreAskedForAgainAndTheKnownStayAsTheyAre() {
    process().tick().read(ChangeSource.ROOT);
    crash();
    Instant created = row("p0").createdAt();
    assertThat(find("p1")).isEmpty();
    OneReader next = next();
    PartitionRow first = row("p0");
    next.readAll(ChangeSource.ROOT);
    assertThat(queries(ChangeSource.ROOT)).hasSize(2);
    assertThat(queries(ChangeSource.ROOT).stream().map(ChangeSource.Query::from).distinct())
        .containsExactly(source.earliest());
    assertThat(row("p0")).isEqualTo(first);
    assertThat(first.createdAt()).isEqualTo(created);
    assertThat(row("p1").createdAt()).isAfter(created);
  }

  @Test
  void c4FirstPartitionsAreStoredOnceAndTheRootIsFinishedByTheNextProcess() {
    OneReader lost = process().tick();
    lost.read(ChangeSource.ROOT);
    lost.read(ChangeSource.ROOT);
    crash();
    assertThat(state(ChangeSource.ROOT)).isEqualTo(State.RUNNING);
    List<PartitionRow> before = List.of(row("p0"), row("p1"));
    assertThat(before)
        .allMatch(row -> row.state() == State.CREATED && row.parents().isEmpty())
        .allMatch(row -> row.start().equals(source.earliest()));
    OneReader next = process();
    next.engine.tick();
    assertThat(next.engine.ackWatermark()).contains(Frontier.before(source.earliest()));
    assertThat(List.of(row("p0").start(), row("p1").start())).containsOnly(source.earliest());
    crash();
    OneReader last = next().readAll(ChangeSource.ROOT).tick();
    assertThat(state(ChangeSource.ROOT)).isEqualTo(State.FINISHED);
    assertThat(last.has("p0") && last.has("p1")).isTrue();
  }

  // ---- within a partition

  @Test
  void c5ClaimedPartitionThatWasNeverReadIsReadFromItsStart() {
    source.commit(0);
    begun();
    assertThat(state("p0")).isEqualTo(State.SCHEDULED);
    crash();
    OneReader next = next().readAll("p0");
    assertThat(from("p0")).isEqualTo(row("p0").start());
    assertThat(state("p0")).isEqualTo(State.RUNNING);
    assertThat(next.ids()).isEqualTo(committed());
  }

  @Test
  void c6ChangeThatWasReadAndNotHandedOutComesAgain() {
    source.commit(0);
    OneReader lost = begun();
    assertThat(lost.readOnly("p0")).isInstanceOf(Step.Read.class);
    lost.flush();
    assertThat(lost.delivered).isEmpty();
    crash();
    assertThat(next().readAll("p0").ids()).isEqualTo(committed());
  }

  @Test
  void c7ChangeThatWasHandedOutAndNotAcknowledgedComesAgain() {
    source.commit(0);
    OneReader lost = begun().readAll("p0").flush();
    assertThat(lost.ids()).isEqualTo(committed());
    crash();
    assertThat(next().readAll("p0").ids()).isEqualTo(committed());
  }

  @Test
  void c8AcknowledgedChangeWhosePositionWasNotStoredComesAgain() {
    source.commit(0);
    begun().readAll("p0").ackAll();
    crash();
    assertThat(next().readAll("p0").ids()).isEqualTo(committed());
  }

  @Test
  void c8SinkThatKeepsThePositionItselfGetsNothingTwice() {
    source.commit(0);
    OneReader lost = begun().readAll("p0");
    Delivery done = lost.delivered.getFirst();
    done.ack();
    ResumePoint kept = lost.session("p0").deque().resume();
    crash();
    source.commit(0);
    OneReader next =
        new OneReader(
                source.earliest(),
                (token, epoch) -> token.equals("p0") ? Optional.of(kept) : Optional.empty())
            .tick()
            .readAll("p0");
    assertThat(next.ids()).hasSize(1).doesNotContain(done.change().id());
  }

  @Test
  void c9ChangeBehindAnUnacknowledgedOneComesAgainWithIt() {
    source.commit(0);
    source.commit(2);
    OneReader lost = begun().readAll("p0");
    lost.delivered.getLast().ack();
    lost.flush();
    crash();
    assertThat(next().readAll("p0").ids()).isEqualTo(committed());
  }

  @Test
  void c10OfSeveralChangesAtOnePositionThoseThatWereAcknowledgedDoNotComeAgain() {
    source.commit(0, 2);
    OneReader lost = begun().readAll("p0");
    lost.delivered.getFirst().ack();
    lost.flush();
    crash();
    assertThat(from("p0")).isEqualTo(row("p0").start());
    OneReader next = next().readAll("p0");
    assertThat(from("p0")).isEqualTo(lost.delivered.getFirst().change().position());
    assertThat(next.ids()).containsExactly(committed().getLast());
  }

  @Test
  void c11QueryGoesOnFromAStoredHeartbeatAndFindsTheEndOfThePartition() {
    source.tick();
    begun().readAll("p0").flush();
    Position heartbeat = source.now();
    assertThat(row("p0").resume().position()).isEqualTo(heartbeat);
    List<String> children = source.split("p0");
    crash();
    OneReader next = next().readAll("p0").tick();
    assertThat(from("p0")).isEqualTo(heartbeat);
    assertThat(state("p0")).isEqualTo(State.FINISHED);
    assertThat(children).allMatch(next::has);
  }

  // ---- from parents to children

  @Test
  void c12ChildRecordThatWasReadAndNotStoredIsReadAgain() {
    source.commit(0);
    OneReader lost = begun();
    lost.readAll("p0").ackAll().flush();
    List<String> children = source.split("p0");
    store.crashBeforeNext();
    crashes(() -> lost.readAll("p0"));
    assertThat(state("p0")).isEqualTo(State.RUNNING);
    assertThat(children).allMatch(child -> find(child).isEmpty());
    OneReader next = next().readAll("p0").tick();
    assertThat(next.ids()).isEmpty();
    assertThat(children).allMatch(next::has);
  }

  @Test
  void c13MergedChildWaitsForTheParentThatHasNotReportedItAndIsNotBegunAnew() {
    source.commit(0, 1);
    String child = source.merge("p0", "p1");
    OneReader lost = begun();
    lost.readAll("p0").ackAll().tick();
    assertThat(state("p0")).isEqualTo(State.FINISHED);
    crash();
    PartitionRow waiting = row(child);
    assertThat(waiting.parents()).containsExactly("p0", "p1");
    OneReader next = next();
    assertThat(next.has(child)).isFalse();
    next.readAll("p1").tick();
    assertThat(row(child)).isEqualTo(waiting);
    next.ackAll().tick();
    assertThat(next.has(child)).isTrue();
    assertThat(row(child).epoch()).isEqualTo(1);
  }

  @Test
  void c14ParentThatIsNotFinishedIsReadAgainAtItsEndAndItsChildrenWait() {
    source.commit(0);
    List<String> children = source.split("p0");
    Position end = source.now();
    OneReader lost = begun();
    lost.readAll("p0").ackAll().flush();
    crash();
    assertThat(state("p0")).isEqualTo(State.RUNNING);
    assertThat(row("p0").resume().position()).isEqualTo(end);
    List<PartitionRow> before = children.stream().map(this::row).toList();
    OneReader next = next();
    assertThat(children).noneMatch(next::has);
    next.readAll("p0");
    assertThat(from("p0")).isEqualTo(end);
    assertThat(next.ids()).isEmpty();
    assertThat(children.stream().map(this::row)).isEqualTo(before);
    next.tick();
    assertThat(state("p0")).isEqualTo(State.FINISHED);
    assertThat(children).allMatch(next::has);
  }

  @Test
  void c15ChildrenThatNobodyClaimedAreFoundAndHoldTheWatermarkAtTheirStart() {
    source.commit(0);
    List<String> children = source.split("p0");
    Position start = source.now();
    OneReader lost = begun();
    lost.readAll("p1");
    lost.readAll("p0").ackAll().flush();
    lost.engine.finishDone();
    assertThat(state("p0")).isEqualTo(State.FINISHED);
    crash();
    assertThat(children).allMatch(child -> state(child) == State.CREATED);
    OneReader next = next();
    assertThat(next.engine.ackWatermark()).contains(Frontier.before(start));
    assertThat(children).allMatch(next::has);
  }

  @Test
  void c16ChildWhoseParentWasForgottenGoesOn() {
    source.commit(0);
    String child = source.move("p0");
    source.commit(0);
    OneReader lost = begun();
    lost.readAll("p1").readAll("p0").ackAll().tick();
    lost.readAll(child);
    assertThat(state(child)).isEqualTo(State.RUNNING);
    store.<Boolean>update(
        "run",
        rows -> {
          rows.remove(1, "p0");
          return true;
        });
    crash();
    assertThat(next().readAll(child).ids()).containsExactly(committed().getLast());
  }

  // ---- ends, gaps and others

  @Test
  void c19PartitionThatReachedTheEndAndWasNotFinishedIsAskedOnceMoreAndFinished() {
    source.commit(0);
    source.commit(1);
    options = options.withEnd(source.timeOf(source.now()));
    OneReader lost = begun();
    lost.readAll("p0").readAll("p1").ackAll().flush();
    Position reached = row("p0").resume().position();
    crash();
    assertThat(state("p0")).isEqualTo(State.RUNNING);
    OneReader next = next().readAll("p0").readAll("p1").tick();
    assertThat(queries("p0").getLast().from()).isEqualTo(reached);
    assertThat(queries("p0").getLast().until()).contains(source.now());
    assertThat(next.ids()).isEmpty();
    assertThat(next.engine.isComplete()).isTrue();
  }

  /** Lets a reader be away until what follows its stored position is gone; returns that. */
  private Position awayForTooLong() {
    source.commit(0);
    begun().readAll("p0").ackAll().flush();
    crash();
    source.commit(0);
    source.commit(0);
    source.expire(ScriptedSource.number(source.now()));
    return row("p0").resume().position();
  }

  @Test
  void c21ReaderThatWasAwayForLongerThanTheRetentionFailsWithTheGap() {
    Position stored = awayForTooLong();
    OneReader next = next();
    assertThatThrownBy(() -> next.readAll("p0"))
        .isInstanceOf(ChangeReaderException.class)
        .hasMessageContaining(stored.toString())
        .hasMessageContaining(source.now().toString());
    assertThat(next.engine.gaps()).containsExactly(new Gap("p0", stored, source.now()));
    assertThat(row("p0").resume().position()).isEqualTo(stored);
  }

  @Test
  void c21ReaderThatMaySkipAGapGoesOnWithTheEarliestChange() {
    options = options.withOnGap(ReaderOptions.OnGap.SKIP);
    Position stored = awayForTooLong();
    OneReader next = next().readAll("p0");
    assertThat(next.engine.gaps()).containsExactly(new Gap("p0", stored, source.now()));
    assertThat(next.ids()).containsExactly(committed().getLast());
  }

  @Test
  void c22ProcessThatLostItsPartitionWritesNothingMore() {
    source.commit(0);
    source.commit(0);
    OneReader zombie = begun().readAll("p0");
    zombie.delivered.getFirst().ack();
    zombie.flush();
    crash();
    OneReader next = next().readAll("p0").ackAll().flush();
    PartitionRow taken = row("p0");
    assertThat(taken.epoch()).isEqualTo(2);
    zombie.ackAll().flush();
    assertThat(row("p0")).isEqualTo(taken);
    assertThat(zombie.read("p0")).isInstanceOf(Step.Closed.class);
    assertThat(next.failures).isEmpty();
    assertThat(zombie.failures).isEmpty();
  }

  @Test
  void c23NothingThatWasAcknowledgedBeforeAStopComesAgain() {
    source.commit(0, 2);
    source.commit(0, 2);
    begun().readAll("p0").ackAll().flush();
    crash();
    source.commit(2);
    assertThat(next().readAll("p0").ids()).containsExactly(committed().getLast());
  }
}
