package dev.tidemark.partitions.internal.engine;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.partitions.Actor;
import dev.tidemark.partitions.ActorContext;
import dev.tidemark.partitions.ActorSnapshot;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.engine.EngineOptions.AnswerLimits;
import dev.tidemark.partitions.internal.log.JournalTarget;
import dev.tidemark.partitions.internal.log.LogRecord;
import dev.tidemark.partitions.internal.log.Tenure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** An actor with the answers that belong to its state. Used by the thread that has the turn. */
final class Instance implements JournalTarget {
  final ActorType<Object, Object> type;
  final Actor<Object, Object> actor;
  final Answers answers;

  /** Made empty; {@link JournalTarget} fills it. */
  Instance(ActorType<Object, Object> type, Tenure tenure, TimeSource time, AnswerLimits limits) {
    this.type = type;
    this.actor =
        type.factory()
            .apply(new ActorContext(type.name(), tenure.partition(), tenure.range(), time));
    this.answers = new Answers(limits);
  }

  @Override
  public void answers(InputStream in) throws Exception {
    answers.load(in);
  }

  @Override
  public void state(InputStream in) throws Exception {
    actor.load(in);
  }

  @Override
  public void entry(long lsn, LogRecord record) throws Exception {
    if (record.entry() != null) {
      actor.replay(record.entry());
    }
    record.answered().ifPresent(answered -> answers.remember(answered, record.micros()));
  }

  /** The actor's own snapshot, or a copy made now of what it has in {@code range}. */
  ActorSnapshot snapshot(PartitionRange range) throws IOException {
    Optional<ActorSnapshot> own = actor.snapshot();
    return own.isPresent() ? own.get() : copy(range);
  }

  /** For an actor without snapshots; {@code part} must be the range that was copied. */
  private ActorSnapshot copy(PartitionRange range) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    actor.export(range, bytes);
    return (part, out) -> bytes.writeTo(out);
  }
}
