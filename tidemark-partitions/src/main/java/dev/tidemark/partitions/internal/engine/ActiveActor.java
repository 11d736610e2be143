package dev.tidemark.partitions.internal.engine;

import dev.tidemark.kv.Key;
import dev.tidemark.partitions.ActorSnapshot;
import dev.tidemark.partitions.Outcome;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.ScanPage;
import dev.tidemark.partitions.ScanRequest;
import dev.tidemark.partitions.internal.log.Journal;
import dev.tidemark.partitions.internal.log.Journal.CheckpointSource;
import dev.tidemark.partitions.internal.log.Journal.Part;
import dev.tidemark.partitions.internal.log.Loaded;
import dev.tidemark.partitions.internal.log.LogRecord;
import dev.tidemark.partitions.internal.log.LogRecord.Answered;
import dev.tidemark.partitions.internal.log.Tenure;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An actor in memory with its log. Only the thread that has the turn may call its methods, unless
 * they say otherwise.
 */
final class ActiveActor {
  private final Journal journal;
  private final Instance instance;
  private final Committer committer;
  private final EngineServices services;
  private final LoadMeter meter;
  private final KeySample sample = new KeySample();

  /** Requests that ended in this turn. */
  private final Group ended = new Group();

  /** The last log entry that was made. It is durable when the committer says so. */
  private long lsn;

  private volatile long checkpointLsn;
  private volatile long checkpointBytes;
  private volatile long appendedBytes;
  private volatile long checkpointedBytes;
  private volatile long checkpointNanos;
  private volatile OptionalLong keys = OptionalLong.empty();
  private volatile long visibleLsn;

  ActiveActor(
      Journal journal,
      Instance instance,
      Loaded loaded,
      EngineServices services,
      LoadMeter meter,
      Runnable onChange) {
    this.journal = journal;
    this.instance = instance;
    this.services = services;
    this.meter = meter;
    this.lsn = loaded.lsn();
    this.visibleLsn = lsn;
    this.checkpointLsn = loaded.checkpointLsn();
    this.checkpointBytes = loaded.checkpointBytes();
    this.checkpointNanos = services.time().nanos();
    this.keys = instance.actor.keyCount();
    this.committer = new Committer(journal, lsn, services.options(), onChange);
    committer.start();
  }

  Journal journal() {
    return journal;
  }

  Tenure tenure() {
    return journal.tenure();
  }

  /** Whether an append has failed, so that the state must be dropped. For any thread. */
  boolean isBroken() {
    return committer.isBroken();
  }

  /** Whether too much waits for the store to carry out more. For any thread. */
  boolean isFull() {
    return committer.isFull();
  }

  /** Waits until everything accepted is durable, and ends. */
  void retire() {
    committer.finish();
  }

  /**
   * Carries out {@code call}. {@link #endTurn} has to follow, after this or some more. False if the
   * state must be dropped.
   */
  boolean run(PartitionCall<?> call) {
    if (call.isDone()) {
      return true;
    }
    ended.add(call);
    return switch (call) {
      case PartitionCall.Send send -> send(send);
      case PartitionCall.Scan scan -> scan(scan);
    };
  }

  /** Starts to make durable what was carried out, and to answer it. */
  void endTurn() {
    committer.wake();
    ended.flush();
  }

  private boolean send(PartitionCall.Send call) {
    Optional<byte[]> known = Optional.empty();
    try {
      checkEpoch(call);
      if (!tenure().range().contains(call.key)) {
        throw outside(call.key.toString());
      }
      if (call.id.isPresent()) {
        known = instance.answers.find(call.id.get());
      }
    } catch (PartitionException refused) {
      call.fail(refused);
      return true;
    }
    sample.add(call.key);
    if (known.isPresent()) {
      reply(call, known.get());
      return true;
    }
    try {
      receive(call);
      return true;
    } catch (Throwable failure) {
      panicked(call, failure);
      return false;
    }
  }

  private void receive(PartitionCall.Send call) throws Exception {
    Outcome<Object> outcome = instance.actor.receive(call.request);
    if (outcome.refusal().isPresent()) {
      refuse(call, outcome.refusal().get());
      return;
    }
    byte[] answer = instance.type.answers().encode(outcome.answer().orElseThrow());
    if (outcome.changesSomething()) {
      append(call, outcome, answer);
    } else {
      reply(call, answer);
    }
  }

  private void append(PartitionCall.Send call, Outcome<Object> outcome, byte[] answer) {
    long micros = services.time().wallMicros();
    Optional<Answered> answered = call.id.map(id -> new Answered(id, answer));
    byte[] record = new LogRecord(micros, answered, outcome.entry().orElse(null)).encode();
    if (record.length > services.options().batches().entryBytes()) {
      throw new PartitionException(
          Reason.INVALID,
          "A log entry of %s with its answer has %,d bytes; it may have %,d"
              .formatted(
                  tenure().partition(), record.length, services.options().batches().entryBytes()));
    }
    answered.ifPresent(kept -> instance.answers.remember(kept, micros));
    lsn++;
    visibleLsn = lsn;
    long appended = appendedBytes + record.length;
    appendedBytes = appended;
    keys = instance.actor.keyCount();
    committer.append(record, outcome.effects().orElse(null), new WhenDurable<>(call, answer, true));
  }

  private boolean scan(PartitionCall.Scan call) {
    try {
      checkEpoch(call);
      if (!tenure().range().contains(call.range)) {
        throw outside(call.range.toString());
      }
    } catch (PartitionException refused) {
      call.fail(refused);
      return true;
    }
    try {
      reply(
          call, encode(instance.actor.scan(new ScanRequest<>(call.query, call.range, call.limit))));
      return true;
    } catch (UnsupportedOperationException none) {
      refuse(call, "The actor type %s has no scans".formatted(instance.type.name()));
      return true;
    } catch (Throwable failure) {
      panicked(call, failure);
      return false;
    }
  }

  private EncodedPage encode(ScanPage<Object> page) {
    List<EncodedPage.Item> items =
        page.items().stream()
            .map(
                item ->
                    new EncodedPage.Item(item.key(), instance.type.answers().encode(item.value())))
            .toList();
    return new EncodedPage(items, page.next());
  }

  private void checkEpoch(PartitionCall<?> call) {
    if (!call.type.equals(tenure().type())) {
      throw new PartitionException(
          Reason.INVALID,
          "%s is of the actor type %s; the request is for %s"
              .formatted(tenure().partition(), tenure().type(), call.type));
    }
    if (call.epoch != tenure().epoch()) {
      throw new PartitionException(
          Reason.MOVED,
          "%s is in epoch %d; the request is for epoch %d"
              .formatted(tenure().partition(), tenure().epoch(), call.epoch));
    }
  }

  private PartitionException outside(String what) {
    return new PartitionException(
        Reason.MOVED,
        "%s has the keys %s; %s is not among them"
            .formatted(tenure().partition(), tenure().range(), what));
  }

  /** Answers a request that changed nothing, when all that it can have seen is durable. */
  private <T> void reply(PartitionCall<T> call, T answer) {
    WhenDurable<T> reply = new WhenDurable<>(call, answer, false);
    if (committer.durableLsn() == lsn) {
      reply.durable();
    } else {
      committer.afterAll(reply);
    }
  }

  private void refuse(PartitionCall<?> call, String why) {
    PartitionException refusal = new PartitionException(Reason.FAILED, why);
    committer.afterAll(
        new Committer.Reply() {
          @Override
          public @Nullable Ended told() {
            return call.told();
          }

          @Override
          public void durable() {
            meter.count(call.startNanos, services.time().nanos());
            call.fail(refusal);
          }

          @Override
          public void failed(PartitionException failure) {
            call.fail(failure);
          }
        });
  }

  private void panicked(PartitionCall<?> call, Throwable failure) {
    meter.count(call.startNanos, services.time().nanos());
    if (failure instanceof PartitionException known) {
      call.fail(known);
      return;
    }
    Failures.report(
        "The actor of " + tenure().partition() + " failed and is loaded again", failure);
    call.fail(
        new PartitionException(
            Reason.FAILED,
            "The actor of %s failed, and nothing of the request was kept: %s"
                .formatted(tenure().partition(), failure),
            failure));
  }

  private final class WhenDurable<T> implements Committer.Reply {
    private final PartitionCall<T> call;
    private final T answer;

    /** Whether the commit itself proved that this server owns the partition. */
    private final boolean proved;

    WhenDurable(PartitionCall<T> call, T answer, boolean proved) {
      this.call = call;
      this.answer = answer;
      this.proved = proved;
    }

    @Override
    public @Nullable Ended told() {
      return call.told();
    }

    @Override
    public void durable() {
      meter.count(call.startNanos, services.time().nanos());
      if (proved || services.lease().isHeld()) {
        call.complete(answer);
      } else {
        call.fail(
            new PartitionException(
                Reason.NO_LEASE,
                "This server cannot tell whether it still owns %s: its lease was not renewed"
                    .formatted(tenure().partition())));
      }
    }

    @Override
    public void failed(PartitionException failure) {
      meter.count(call.startNanos, services.time().nanos());
      call.fail(failure);
    }
  }

  /** Completes with the number of the last log entry when every entry so far is durable. */
  Call<Long> barrier() {
    Call<Long> call = new Call<>(services.time());
    long end = lsn;
    committer.afterAll(
        new Committer.Reply() {
          @Override
          public void durable() {
            call.complete(end);
          }

          @Override
          public void failed(PartitionException failure) {
            call.fail(failure);
          }
        });
    committer.wake();
    return call;
  }

  /** The state as it is now, for a checkpoint or a stage. It may hold what is not durable yet. */
  CheckpointSource source(PartitionRange range) throws Exception {
    Answers.Frozen answers = instance.answers.freeze();
    ActorSnapshot state = instance.snapshot(range);
    return new CheckpointSource(
        lsn, instance.actor.keyCount(), List.of(answers::write, Part.of(state, range)));
  }

  /** This state and that of {@code upper}, which nobody uses meanwhile, as one. */
  CheckpointSource merged(ActiveActor upper) throws Exception {
    Answers.Frozen answers = instance.answers.freeze().and(upper.instance.answers.freeze());
    PartitionRange range = tenure().range();
    PartitionRange above = upper.tenure().range();
    return new CheckpointSource(
        lsn,
        sum(instance.actor.keyCount(), upper.instance.actor.keyCount()),
        List.of(
            answers::write,
            Part.of(instance.snapshot(range), range),
            Part.of(upper.instance.snapshot(above), above)));
  }

  private static OptionalLong sum(OptionalLong one, OptionalLong other) {
    return one.isPresent() && other.isPresent()
        ? OptionalLong.of(one.getAsLong() + other.getAsLong())
        : OptionalLong.empty();
  }

  /** Where to split if the caller names no key: the actor's hint, or the middle of the load. */
  Optional<Key> splitKey() {
    PartitionRange range = tenure().range();
    return instance.actor.splitHint().filter(range::canSplitAt).or(() -> sample.middle(range));
  }

  /** How many bytes were appended to the log since the actor was loaded. */
  long appendedBytes() {
    return appendedBytes;
  }

  /** A checkpoint was written when {@code appended} bytes had been appended. For any thread. */
  void checkpointed(CheckpointSource source, long bytes, long appended) {
    checkpointLsn = source.lsn();
    checkpointBytes = bytes;
    checkpointedBytes = appended;
    checkpointNanos = services.time().nanos();
  }

  /** Whether the log is long enough for a checkpoint. For any thread. */
  boolean isLogLong() {
    EngineOptions options = services.options();
    return logEntries() >= options.checkpoints().entries()
        || appendedBytes - checkpointedBytes >= options.checkpoints().bytes();
  }

  /** Whether there are log entries that have been without a checkpoint for long. For any thread. */
  boolean isLogOld() {
    return logEntries() > 0
        && services.time().nanos() - checkpointNanos
            >= services.options().checkpoints().interval().toNanos();
  }

  /** Log entries behind the last checkpoint. For any thread. */
  long logEntries() {
    return visibleLsn - checkpointLsn;
  }

  /** For any thread. */
  PartitionStatistics statistics(int queued) {
    return new PartitionStatistics(
        tenure().partition(),
        tenure().type(),
        tenure().epoch(),
        true,
        meter.perSecond(services.time().nanos()),
        keys,
        checkpointBytes + appendedBytes - checkpointedBytes,
        queued,
        meter.latency(0.5),
        meter.latency(0.99),
        logEntries());
  }
}
