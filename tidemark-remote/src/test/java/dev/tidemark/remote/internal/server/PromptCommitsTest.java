package dev.tidemark.remote.internal.server;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.ByteString;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.grpc.internal.frames.Crowd;
import dev.tidemark.grpc.internal.frames.Outbox;
import dev.tidemark.kv.Key;
import dev.tidemark.remote.internal.transport.FieldReader;
import dev.tidemark.remote.internal.transport.Frame;
import dev.tidemark.remote.internal.transport.RecordingTransport;
import dev.tidemark.remote.internal.wire.CommitWrites;
import dev.tidemark.remote.internal.wire.Mutation;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who answers the commits that no thread waits for. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class PromptCommitsTest {
  private static final int COMMITS = 5;

  private final EmbeddedDatabase served = EmbeddedDatabase.inMemory();
  private final ServerCounters counters = new ServerCounters();
  private final RecordingTransport<Frame> transport = new RecordingTransport<>();
  private final Outbox<byte[], Frame> outbox =
      new Outbox<>(
          transport, reply -> reply.length, Frame::new, new Crowd(), Outbox.ENOUGH_ROOM, () -> {});
  private final AtomicInteger ended = new AtomicInteger();

  @AfterEach
  void close() {
    served.close();
  }

  private void commit(Executor network) {
    commit(network, id -> ended.incrementAndGet());
  }

  /** Puts commits in line, of which each sets a key of its own, and has them begin. */
  private void commit(Executor network, IntConsumer end) {
    PromptCommits commits = new PromptCommits(served, counters, outbox, network);
    for (int i = 1; i <= COMMITS; i++) {
      int id = i;
      Mutation set =
          Mutation.newBuilder()
              .setType(Mutation.Type.SET)
              .setKey(ByteString.copyFromUtf8("key " + id))
              .build();
      byte[] sent = CommitWrites.newBuilder().addMutations(set).build().toByteArray();
      SentCommit commit = SentCommit.read(new FieldReader(sent), COMMITS);
      assertThat(commits.putInLine(id, commit, () -> end.accept(id))).isTrue();
    }
    commits.start();
  }

  private void awaitLast() {
    eventually(
        "all commits",
        () ->
            served
                .<java.util.Optional<byte[]>, RuntimeException>read(
                    tx -> tx.get(Key.utf8("key " + COMMITS)))
                .isPresent());
  }

  @Test
  void repliesAreLeftToTheThreadOfTheNetwork() {
    Queue<Runnable> left = new ConcurrentLinkedQueue<>();
    commit(left::add);
    awaitLast();
    eventually("something is left", () -> !left.isEmpty());
    assertThat(transport.sent).isEmpty();
    assertThat(ended).hasValue(0);
    Queue<Integer> replies = new ArrayDeque<>();
    eventually(
        "all replies",
        () -> {
          for (Runnable next = left.poll(); next != null; next = left.poll()) {
            next.run();
          }
          for (Frame frame = transport.sent.poll(); frame != null; frame = transport.sent.poll()) {
            replies.add(frame.pieces().size());
          }
          return replies.stream().mapToInt(Integer::intValue).sum() == COMMITS;
        });
    assertThat(ended).hasValue(COMMITS);
    assertThat(counters.commits.sum()).isEqualTo(COMMITS);
  }

  @Test
  void stampedWritesAreNotWaitedForAndMutationsThatLookSomethingUpAre() {
    byte[] stampThenPlace = new byte[14];
    assertThat(isPrompt(Mutation.Type.SET_VERSIONSTAMPED_KEY, stampThenPlace, new byte[1]))
        .isTrue();
    assertThat(isPrompt(Mutation.Type.SET_VERSIONSTAMPED_VALUE, new byte[1], stampThenPlace))
        .isTrue();
    assertThat(isPrompt(Mutation.Type.ADD, new byte[1], new byte[8])).isFalse();
    assertThat(isPrompt(Mutation.Type.CLEAR_RANGE, new byte[1], new byte[2])).isFalse();
  }

  private static boolean isPrompt(Mutation.Type type, byte[] key, byte[] operand) {
    Mutation mutation =
        Mutation.newBuilder()
            .setType(type)
            .setKey(ByteString.copyFrom(key))
            .setOperand(ByteString.copyFrom(operand))
            .build();
    byte[] sent = CommitWrites.newBuilder().addMutations(mutation).build().toByteArray();
    return SentCommit.read(new FieldReader(sent), COMMITS).isPrompt();
  }

  @Test
  void stampedWritesInLineAreCommittedWithTheirStamp() {
    PromptCommits commits = new PromptCommits(served, counters, outbox, Runnable::run);
    Mutation stamped =
        Mutation.newBuilder()
            .setType(Mutation.Type.SET_VERSIONSTAMPED_VALUE)
            .setKey(ByteString.copyFromUtf8("stamped"))
            .setOperand(ByteString.copyFrom(new byte[14]))
            .build();
    byte[] sent = CommitWrites.newBuilder().addMutations(stamped).build().toByteArray();
    SentCommit commit = SentCommit.read(new FieldReader(sent), COMMITS);
    assertThat(commits.putInLine(1, commit, ended::incrementAndGet)).isTrue();
    commits.start();
    eventually("the end of the commit", () -> ended.get() == 1);
    byte[] stamp =
        served
            .<java.util.Optional<byte[]>, RuntimeException>read(tx -> tx.get(Key.utf8("stamped")))
            .orElseThrow();
    assertThat(stamp).hasSize(10).isNotEqualTo(new byte[10]);
  }

  @Test
  void answerThatFailsLeavesNoOtherWaiting() {
    Queue<Runnable> left = new ConcurrentLinkedQueue<>();
    AtomicInteger failures = new AtomicInteger();
    commit(
        left::add,
        id -> {
          ended.incrementAndGet();
          if (id < COMMITS) {
            throw new IllegalStateException("answer " + id + " fails for the test");
          }
        });
    awaitLast();
    eventually(
        "the ends of all commits",
        () -> {
          for (Runnable next = left.poll(); next != null; next = left.poll()) {
            Throwable told = catchThrowable(next::run);
            failures.addAndGet(told == null ? 0 : told.getSuppressed().length);
          }
          return ended.get() == COMMITS;
        });
    assertThat(failures).as("failures told").hasValue(COMMITS - 1);
    assertThat(transport.sent.stream().mapToInt(frame -> frame.pieces().size()).sum())
        .as("replies sent")
        .isEqualTo(COMMITS);
    assertThat(served.statistics().openTransactions()).isZero();
  }

  @Test
  void commitsOfAClosedServerAreLetGo() {
    commit(
        task -> {
          throw new RejectedExecutionException("closed");
        });
    eventually("the ends of all commits", () -> ended.get() == COMMITS);
    assertThat(served.statistics().openTransactions()).isZero();
  }
}
