package dev.tidemark.loader.internal.engine;

import dev.tidemark.loader.Batch;
import dev.tidemark.loader.JobInfo;
import dev.tidemark.loader.MergeOutcome;
import dev.tidemark.loader.Row;
import dev.tidemark.loader.internal.engine.Counters.Count;
import dev.tidemark.pulse.pool.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Merges one batch: retries temporary failures, settles unknown outcomes by the job's id, and
 * halves a batch that is refused for its data until one message is left, which becomes a dead
 * letter.
 *
 * <p>Halves keep the order of arrival, so that the position of a source in order stays behind all
 * that is stored. A batch of n messages takes 2n merges at most.
 */
final class BatchMerge {
  private final Parts parts;
  private final Ledger ledger;
  private final RunClock clock;
  private final Settler settler;

  /** Stored by this batch, to be acknowledged together. */
  private final List<Delivery> stored = new ArrayList<>();

  private Duration longest = Duration.ZERO;

  BatchMerge(Parts parts, Ledger ledger, RunClock clock, Settler settler) {
    this.parts = parts;
    this.ledger = ledger;
    this.clock = clock;
    this.settler = settler;
  }

  /** The longest merge. */
  Duration longest() {
    return longest;
  }

  /** Merges {@code pieces}, whose folded rows are {@code rows}, and acknowledges what is stored. */
  Verdict run(List<Piece> pieces, List<Row> rows) throws InterruptedException {
    try {
      Verdict verdict = merge(pieces, rows);
      settler.ackBeside(stored);
      stored.clear();
      return verdict;
    } finally {
      settler.ack(stored);
    }
  }

  private Verdict merge(List<Piece> pieces) throws InterruptedException {
    return merge(pieces, Piece.fold(pieces));
  }

  private Verdict merge(List<Piece> pieces, List<Row> rows) throws InterruptedException {
    if (rows.isEmpty() && Piece.positionOf(pieces).isEmpty()) {
      return new Verdict.Done();
    }
    UUID job = parts.ids().next();
    RetryPolicy retries = parts.options().retries();
    for (int attempt = 1; ; attempt++) {
      MergeOutcome outcome = attempt(job, pieces, rows);
      Reaction reaction = react(outcome);
      switch (reaction) {
        case Reaction.End(Verdict verdict) -> {
          if (verdict instanceof Verdict.Done) {
            stored(pieces, rows);
          }
          return verdict;
        }
        case Reaction.Halve(String reason) -> {
          return halve(pieces, reason);
        }
        case Reaction.Again(String reason, boolean sameJob) -> {
          Duration pause = Pauses.after(retries, attempt, job);
          if (attempt >= retries.attemptsMax()) {
            return new Verdict.Failed(reason, false);
          }
          if (!clock.mayPause(pause)) {
            return new Verdict.OutOfTime();
          }
          parts.counters().add(Count.RETRIES, 1);
          clock.time().sleep(pause);
          job = sameJob ? job : parts.ids().next();
        }
      }
    }
  }

  /** What to do about an outcome. */
  private sealed interface Reaction {
    record End(Verdict verdict) implements Reaction {}

    record Halve(String reason) implements Reaction {}

    /** A job id is used again only while its outcome is unknown. */
    record Again(String reason, boolean sameJob) implements Reaction {}
  }

  private static Reaction react(MergeOutcome outcome) {
    return switch (outcome) {
      case MergeOutcome.Merged merged -> new Reaction.End(new Verdict.Done());
      case MergeOutcome.Refused(String reason) -> new Reaction.Halve(reason);
      case MergeOutcome.Impossible(String reason) ->
          new Reaction.End(new Verdict.Failed(reason, true));
      case MergeOutcome.Unavailable(String reason) -> new Reaction.Again(reason, false);
      case MergeOutcome.Absent absent -> new Reaction.Again("The job was not stored", false);
      case MergeOutcome.Unknown(String reason) -> new Reaction.Again(reason, true);
    };
  }

  /** One merge; if its outcome is unknown, the warehouse is asked for it by the id. */
  private MergeOutcome attempt(UUID job, List<Piece> pieces, List<Row> rows) {
    long begin = clock.time().nanos();
    Batch batch =
        new Batch(
            job,
            parts.source().name(),
            parts.mapping().table(),
            rows,
            Piece.positionOf(pieces),
            clock.mergeLimit());
    List<Delivery> deliveries = Piece.deliveriesOf(pieces);
    ledger.merging(job, deliveries);
    Trace.merging(job, deliveries);
    try {
      MergeOutcome outcome = known(() -> parts.warehouse().merge(batch));
      if (outcome instanceof MergeOutcome.Unknown) {
        parts.counters().add(Count.UNKNOWN, 1);
        outcome = known(() -> parts.warehouse().settle(job));
      }
      long took = clock.time().nanos() - begin;
      if (outcome instanceof MergeOutcome.Merged) {
        parts.counters().merged(rows.size(), took);
      }
      long bytes = deliveries.stream().mapToLong(Delivery::bytes).sum();
      parts
          .counters()
          .job(
              new JobInfo(
                  job, deliveries.size(), rows.size(), bytes, Duration.ofNanos(took), outcome));
      return outcome;
    } finally {
      ledger.mergeEnded();
      Duration took = Duration.ofNanos(clock.time().nanos() - begin);
      longest = took.compareTo(longest) > 0 ? took : longest;
    }
  }

  private interface Call {
    MergeOutcome make();
  }

  /** An exception does not say whether anything was stored. */
  private static MergeOutcome known(Call call) {
    try {
      return call.make();
    } catch (RuntimeException failure) {
      return new MergeOutcome.Unknown(failure.toString());
    }
  }

  private void stored(List<Piece> pieces, List<Row> rows) {
    List<Delivery> claimed = settler.stored(Piece.deliveriesOf(pieces), Count.MERGED);
    parts.counters().add(Count.DUPLICATES, Piece.rowsOf(pieces) - rows.size());
    stored.addAll(claimed);
  }

  private Verdict halve(List<Piece> pieces, String reason) throws InterruptedException {
    if (pieces.size() == 1) {
      return bury(pieces.getFirst(), reason);
    }
    parts.counters().add(Count.HALVINGS, 1);
    if (!clock.mayPause(Duration.ZERO)) {
      return new Verdict.OutOfTime();
    }
    int middle = pieces.size() / 2;
    Verdict left = merge(pieces.subList(0, middle));
    return left instanceof Verdict.Done ? merge(pieces.subList(middle, pieces.size())) : left;
  }

  private Verdict bury(Piece culprit, String reason) throws InterruptedException {
    if (culprit.row() == null) {
      return new Verdict.Failed("A batch without rows is refused: " + reason, true);
    }
    if (!settler.bury(List.of(new Settler.Rejection(culprit.delivery(), reason)))) {
      return new Verdict.Failed("A dead letter could not be written", false);
    }
    return merge(List.of(culprit.withoutRow()));
  }
}
