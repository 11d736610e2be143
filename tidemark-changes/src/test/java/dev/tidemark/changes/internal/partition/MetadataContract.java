package dev.tidemark.changes.internal.partition;

import static dev.tidemark.changes.ScriptedSource.position;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.changes.ChangeRecord;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.PartitionRow.State;
import dev.tidemark.changes.Position;
import dev.tidemark.changes.ResumePoint;
import dev.tidemark.changes.ScriptedSource;
import dev.tidemark.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every metadata store has to do. */
abstract class MetadataContract {
  private static final Duration LEASE = Duration.ofSeconds(10);

  final ManualTime time = ManualTime.selfAdvancing();
  private final ScriptedSource source = new ScriptedSource(1, 1);

  abstract MetadataStore store();

  private Run open(String member) {
    return open(member, Optional.empty());
  }

  private Run open(String member, Optional<Position> end) {
    Run run = Run.open(store(), source, "run", member, position(5), end);
    run.renew(LEASE);
    return run;
  }

  private static ChangeRecord.ChildPartitions children(long at, ChangeRecord.Child... children) {
    return new ChangeRecord.ChildPartitions(
        position(at), Instant.ofEpochSecond(at), "0", List.of(children));
  }

  private static ChangeRecord.Child child(String token, String... parents) {
    return new ChangeRecord.Child(token, List.of(parents));
  }

  private static @Nullable PartitionRow maybeRow(Run run, String token) {
    return run.snapshot().partitions().get(token);
  }

  private static PartitionRow row(Run run, String token) {
    return run.snapshot().find(token).orElseThrow();
  }

  private static PartitionRow claimed(Run run, String token) {
    return run.claim(token).orElseThrow();
  }

  private static void finish(Run run, PartitionRow claimed) {
    run.finish(claimed, Map.of());
  }

  private PartitionRow rootWith(Run run, String... tokens) {
    PartitionRow root = claimed(run, "");
    for (String token : tokens) {
      run.insertChildren(root, children(5, child(token)));
    }
    return root;
  }

  @Test
  void rootIsRegisteredOnceAndTheStoredStartCounts() {
    open("a");
    Run second = Run.open(store(), source, "run", "b", position(99), Optional.empty());

    assertThat(second.row().start()).isEqualTo(position(5));
    assertThat(second.snapshot().partitions().keySet()).containsExactly("");
    assertThat(row(second, "").state()).isEqualTo(State.CREATED);
  }

  @Test
  void childThatIsReportedAgainKeepsItsRow() {
    Run run = open("a");
    PartitionRow root = rootWith(run, "p");
    PartitionRow p = claimed(run, "p");
    run.running(p);
    run.advance(Map.of(p, ResumePoint.at(position(9))));
    PartitionRow before = row(run, "p");

    run.insertChildren(root, children(5, child("p"), child("q")));

    assertThat(row(run, "p")).isEqualTo(before);
    assertThat(row(run, "q").state()).isEqualTo(State.CREATED);
  }

  @Test
  void rowComesBackWithAllItsFields() {
    Run run = open("a");
    PartitionRow root = claimed(run, "");
    run.insertChildren(root, children(7, child("c", "a", "b")));
    finish(run, root);
    time.advance(Duration.ofNanos(1_234_567_000));
    Instant now = store().now();
    PartitionRow c = claimed(run, "c");
    run.running(c);
    run.advance(Map.of(c, new ResumePoint(position(8), Set.of("x", "y"))));

    PartitionRow stored = row(run, "c");

    assertThat(stored.parents()).containsExactly("a", "b");
    assertThat(stored.start()).isEqualTo(position(7));
    assertThat(stored.state()).isEqualTo(State.RUNNING);
    assertThat(stored.resume()).isEqualTo(new ResumePoint(position(8), Set.of("x", "y")));
    assertThat(stored.owner()).contains("a");
    assertThat(stored.epoch()).isEqualTo(1);
    assertThat(stored.scheduledAt()).contains(now);
    assertThat(stored.runningAt()).contains(now);
    assertThat(stored.finishedAt()).isEmpty();
    finish(run, c);
    assertThat(row(run, "c").finishedAt()).contains(now);
    assertThat(row(run, "c").owner()).isEmpty();
  }

  @Test
  void parentRunsFromTheChangeOnThatStoresItsChildren() {
    Run run = open("a");
    PartitionRow root = claimed(run, "");
    assertThat(row(run, "").state()).isEqualTo(State.SCHEDULED);

    run.insertChildren(root, children(5, child("p")));

    assertThat(row(run, "").state()).isEqualTo(State.RUNNING);
    assertThat(row(run, "").runningAt()).isPresent();
    assertThat(row(run, "p").state()).isEqualTo(State.CREATED);
  }

  @Test
  void ofSeveralPartitionsThoseAreClaimedThatCanBe() {
    Run a = open("a");
    Run b = open("b");
    rootWith(a, "p", "q", "r");
    claimed(b, "q");

    List<PartitionRow> claimed = a.claim(List.of("p", "q", "r", "unknown"));

    assertThat(claimed).extracting(PartitionRow::token).containsExactly("p", "r");
    assertThat(claimed).allMatch(each -> each.isOwnedBy("a", 1));
    assertThat(claimed).containsExactly(row(a, "p"), row(a, "r"));
    assertThat(row(a, "q").owner()).contains("b");
  }

  @Test
  void partitionOfALiveOwnerCannotBeClaimed() {
    Run a = open("a");
    Run b = open("b");
    rootWith(a, "p");
    claimed(a, "p");

    assertThat(b.claim("p")).isEmpty();
  }

  /** It failed before it read, or did not hear of the commit: nobody else may claim it. */
  @Test
  void ownerClaimsAgainUnderTheNextEpochWhatItDoesNotRead() {
    Run a = open("a");
    rootWith(a, "p");
    PartitionRow lost = claimed(a, "p");

    PartitionRow again = a.claim("p").orElseThrow();

    assertThat(again.isOwnedBy("a", lost.epoch() + 1)).isTrue();
    assertThatThrownBy(() -> a.running(lost)).isInstanceOf(FencedException.class);
  }

  @Test
  void partitionOfAnOwnerWhoseLeaseEndedIsClaimedUnderTheNextEpoch() {
    Run a = open("a");
    rootWith(a, "p");
    PartitionRow old = claimed(a, "p");
    time.advance(LEASE.plusMillis(1));
    Run b = open("b");

    PartitionRow taken = claimed(b, "p");

    assertThat(taken.epoch()).isEqualTo(old.epoch() + 1);
    assertThat(taken.resume()).isEqualTo(old.resume());
  }

  @Test
  void writesOfAnOwnerThatLostItsPartitionAreRefused() {
    Run a = open("a");
    rootWith(a, "p");
    PartitionRow old = claimed(a, "p");
    time.advance(LEASE.plusMillis(1));
    Run b = open("b");
    PartitionRow taken = claimed(b, "p");
    b.advance(Map.of(taken, ResumePoint.at(position(20))));
    PartitionRow before = row(b, "p");

    assertThatThrownBy(() -> a.advance(Map.of(old, ResumePoint.at(position(30)))))
        .isInstanceOf(FencedException.class)
        .hasMessageContaining("belongs to b since epoch 2");
    assertThatThrownBy(() -> finish(a, old)).isInstanceOf(FencedException.class);
    assertThatThrownBy(() -> a.release(old)).isInstanceOf(FencedException.class);
    assertThatThrownBy(() -> a.running(old)).isInstanceOf(FencedException.class);
    assertThatThrownBy(() -> a.insertChildren(old, children(30, child("x", "p"))))
        .isInstanceOf(FencedException.class);
    assertThat(row(b, "p")).isEqualTo(before);
    assertThat(maybeRow(b, "x")).isNull();
  }

  @Test
  void ownerThatComesBackAfterItsLeaseKeepsWhatNobodyTook() {
    Run a = open("a");
    rootWith(a, "p");
    PartitionRow p = claimed(a, "p");
    time.advance(LEASE.multipliedBy(2));

    a.advance(Map.of(p, ResumePoint.at(position(30))));

    assertThat(row(a, "p").resume().position()).isEqualTo(position(30));
  }

  @Test
  void releasedPartitionIsFreeAtOnceAndGoesOnWhereItWas() {
    Run a = open("a");
    Run b = open("b");
    rootWith(a, "p");
    PartitionRow p = claimed(a, "p");
    a.advance(Map.of(p, ResumePoint.at(position(30))));
    a.release(p);

    assertThat(claimed(b, "p").resume().position()).isEqualTo(position(30));
  }

  @Test
  void positionNeverGoesBack() {
    Run run = open("a");
    rootWith(run, "p");
    PartitionRow p = claimed(run, "p");
    run.advance(Map.of(p, ResumePoint.at(position(30))));
    run.advance(Map.of(p, ResumePoint.at(position(29))));

    assertThat(row(run, "p").resume().position()).isEqualTo(position(30));
  }

  @Test
  void moreIdsAtTheSamePositionReplaceFewer() {
    Run run = open("a");
    rootWith(run, "p");
    PartitionRow p = claimed(run, "p");
    run.advance(Map.of(p, new ResumePoint(position(30), Set.of("x", "y"))));
    run.advance(Map.of(p, new ResumePoint(position(30), Set.of("x"))));

    assertThat(row(run, "p").resume().boundary()).containsExactlyInAnyOrder("x", "y");
  }

  @Test
  void racingWritersLeaveTheLatestPosition() throws Exception {
    Run run = open("a");
    rootWith(run, "p");
    PartitionRow p = claimed(run, "p");
    List<Thread> writers = new ArrayList<>();
    for (int writer = 0; writer < 4; writer++) {
      int offset = writer;
      writers.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int i = 0; i < 50; i++) {
                      run.advance(Map.of(p, ResumePoint.at(position(10 + i * 4L + offset))));
                    }
                  }));
    }
    for (Thread writer : writers) {
      writer.join();
    }

    assertThat(row(run, "p").resume().position()).isEqualTo(position(10 + 49 * 4 + 3));
  }

  @Test
  void mergedChildStartsWhenAllParentsAreFinished() {
    Run run = open("a");
    rootWith(run, "a", "b");
    PartitionRow a = claimed(run, "a");
    PartitionRow b = claimed(run, "b");
    run.insertChildren(a, children(9, child("c", "a", "b")));
    finish(run, a);
    assertThat(run.claim("c")).isEmpty();
    assertThat(run.snapshot().isStartable(row(run, "c"))).isFalse();

    run.insertChildren(b, children(9, child("c", "a", "b")));
    assertThat(run.claim("c")).isEmpty();
    finish(run, b);

    assertThat(run.snapshot().isStartable(row(run, "c"))).isTrue();
    assertThat(claimed(run, "c").start()).isEqualTo(position(9));
  }

  @Test
  void parentThatIsNotKnownCountsAsFinishedOnceNothingBeforeTheChildIsUnfinished() {
    Run run = open("a");
    PartitionRow root = rootWith(run, "p");
    run.insertChildren(root, children(9, child("c", "older")));
    finish(run, root);
    assertThat(run.claim("c")).as("p could report it").isEmpty();
    PartitionRow p = claimed(run, "p");
    run.advance(Map.of(p, ResumePoint.at(position(8))));
    assertThat(run.claim("c")).as("p could still report it").isEmpty();

    run.advance(Map.of(p, ResumePoint.at(position(9))));

    assertThat(run.claim("c")).isPresent();
  }

  @Test
  void mergedChildWaitsForAParentThatHasNotBeenReportedYet() {
    Run run = open("a");
    finish(run, rootWith(run, "a", "b"));
    PartitionRow b = claimed(run, "b");
    run.insertChildren(b, children(20, child("c", "a2", "b")));
    finish(run, b);
    assertThat(run.claim("c")).isEmpty();

    PartitionRow a = claimed(run, "a");
    run.insertChildren(a, children(10, child("a2", "a")));
    finish(run, a);
    assertThat(run.claim("c")).isEmpty();
    finish(run, claimed(run, "a2"));

    assertThat(run.claim("c")).isPresent();
  }

  @Test
  void finishedPartitionCanNeitherBeClaimedNorFinishedAgain() {
    Run run = open("a");
    rootWith(run, "p");
    PartitionRow p = claimed(run, "p");
    finish(run, p);

    assertThat(run.claim("p")).isEmpty();
    assertThatThrownBy(() -> finish(run, p)).isInstanceOf(FencedException.class);
  }

  @Test
  void childThatFinishedBeforeALateParentReportsItStaysFinished() {
    Run run = open("a");
    rootWith(run, "a", "b");
    PartitionRow a = claimed(run, "a");
    PartitionRow b = claimed(run, "b");
    run.insertChildren(a, children(9, child("c", "a")));
    finish(run, a);
    finish(run, claimed(run, "c"));

    run.insertChildren(b, children(9, child("c", "a", "b")));

    assertThat(row(run, "c").state()).isEqualTo(State.FINISHED);
  }

  @Test
  void changeThatThrowsLeavesNothing() {
    Run run = open("a");

    assertThatThrownBy(
            () ->
                store()
                    .<Boolean>update(
                        "run",
                        rows -> {
                          rows.putMember("x", Instant.EPOCH);
                          rows.put(
                              PartitionRow.created(1, "x", List.of(), position(1), Instant.EPOCH));
                          rows.remove(1, "");
                          throw new IllegalArgumentException("no");
                        }))
        .hasMessage("no");

    assertThat(run.snapshot().partitions().keySet()).containsExactly("");
    assertThat(run.snapshot().members().keySet()).containsExactly("a");
  }

  @Test
  void changeSeesItsOwnWrites() {
    open("a");

    store()
        .<Boolean>update(
            "run",
            rows -> {
              rows.put(PartitionRow.created(1, "x", List.of(), position(1), Instant.EPOCH));
              assertThat(rows.partition(1, "x")).isPresent();
              assertThat(rows.partitions(1)).hasSize(2);
              rows.remove(1, "x");
              assertThat(rows.partition(1, "x")).isEmpty();
              rows.putMember("m", Instant.EPOCH);
              assertThat(rows.member("m")).contains(Instant.EPOCH);
              return true;
            });

    assertThat(store().<Integer>read("run", rows -> rows.partitions(1).size())).isEqualTo(1);
  }

  @Test
  void completedRunWithTheSameEndStaysComplete() {
    Run run = open("a", Optional.of(position(50)));
    finish(run, rootWith(run));

    Run again = open("a", Optional.of(position(50)));

    assertThat(again.row()).isEqualTo(run.row());
    assertThat(again.snapshot().isComplete()).isTrue();
  }

  @Test
  void completedRunWithALaterEndReadsOnlyTheNewRange() {
    Run run = open("a", Optional.of(position(50)));
    PartitionRow root = rootWith(run, "p");
    finish(run, root);
    finish(run, claimed(run, "p"));

    Run later = open("a", Optional.of(position(80)));

    assertThat(later.row().generation()).isEqualTo(2);
    assertThat(later.row().start()).isEqualTo(position(50));
    assertThat(later.row().startExclusive()).isTrue();
    assertThat(later.snapshot().partitions().keySet()).containsExactly("");
    later.insertChildren(claimed(later, ""), children(50, child("p")));
    assertThat(row(later, "p").state()).isEqualTo(State.CREATED);
  }

  @Test
  void generationThatWasFollowedIsCompleteForThoseWhoStillReadIt() {
    Run run = open("a", Optional.of(position(50)));
    finish(run, rootWith(run));
    assertThat(run.snapshot().standing()).isEqualTo(Run.Standing.CURRENT);

    Run later = open("b", Optional.of(position(80)));

    assertThat(run.snapshot().standing()).isEqualTo(Run.Standing.FOLLOWED);
    assertThat(run.snapshot().isComplete()).isTrue();
    assertThat(later.snapshot().isComplete()).isFalse();
    run.leave(LEASE);
    later.leave(LEASE);
    run.deleteIfLast();
    assertThat(later.snapshot().standing()).isEqualTo(Run.Standing.CURRENT);
  }

  @Test
  void runIsDeletedByTheLastOfItsProcesses() {
    Run run = open("a", Optional.of(position(50)));
    Run other = open("b", Optional.of(position(50)));
    finish(run, rootWith(run));
    run.leave(LEASE);
    run.deleteIfLast();
    assertThat(other.snapshot().isComplete()).isTrue();
    other.leave(LEASE);
    other.deleteIfLast();
    assertThat(other.snapshot().standing()).isEqualTo(Run.Standing.DELETED);
  }

  @Test
  void runUnderWayRefusesAnotherEnd() {
    open("a", Optional.of(position(50)));

    assertThatThrownBy(() -> open("b", Optional.of(position(80))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("use the same end, or another run name");
  }

  @Test
  void runsWithDifferentNamesDoNotSeeEachOther() {
    open("a");
    Run other = Run.open(store(), source, "other", "a", position(7), Optional.empty());

    assertThat(row(other, "").start()).isEqualTo(position(7));
    store().delete("other");
    assertThat(open("a").snapshot().partitions()).hasSize(1);
    assertThat(store().<Integer>read("other", rows -> rows.partitions(1).size())).isZero();
  }

  @Test
  void finishedPartitionIsForgottenOnlyWhenNoParentCanReportItAgain() {
    Run run = open("a");
    PartitionRow root = rootWith(run, "a", "b");
    PartitionRow a = claimed(run, "a");
    run.insertChildren(a, children(9, child("c", "a", "b")));
    PartitionRow b = claimed(run, "b");
    finish(run, a);
    run.sweep(store().now().plusSeconds(1));
    assertThat(maybeRow(run, "a")).as("while the root can report it").isNotNull();
    finish(run, root);

    run.sweep(store().now().plusSeconds(1));

    assertThat(maybeRow(run, "a")).as("while a child waits for it").isNotNull();
    finish(run, b);
    assertThat(run.claim("c")).isPresent();
    run.sweep(store().now().plusSeconds(1));
    assertThat(run.snapshot().partitions().keySet()).containsExactly("", "c");
  }

  @Test
  void onlyOneOfManyClaimsSucceeds() throws Exception {
    Run first = open("m0");
    rootWith(first, "p");
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      runs.add(open("m" + i));
    }
    List<PartitionRow> won = java.util.Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads =
        runs.stream()
            .map(run -> Thread.ofVirtual().start(() -> run.claim("p").ifPresent(won::add)))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(won).hasSize(1);
    assertThat(row(first, "p").epoch()).isEqualTo(1);
  }

  @Test
  void memberThatLeavesFreesItsPartitions() {
    Run a = open("a");
    rootWith(a, "p");
    claimed(a, "p");
    Run b = open("b");

    a.leave(Duration.ofMinutes(1));

    assertThat(b.snapshot().isAlive("a")).isFalse();
    assertThat(b.claim("p")).isPresent();
  }
}
