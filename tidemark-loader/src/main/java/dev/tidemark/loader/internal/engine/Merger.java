package dev.tidemark.loader.internal.engine;

import dev.tidemark.loader.LoadResult.Ending;
import dev.tidemark.loader.MessageInfo.State;
import dev.tidemark.loader.internal.engine.Counters.Count;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Merges batch after batch, and opens the circuit breaker after too many failures. */
final class Merger {
  private static final int PAUSE_DOUBLINGS_MAX = 4;

  private final Parts parts;
  private final Ledger ledger;
  private final RunClock clock;
  private final Settler settler;
  private final boolean endless;

  private int failuresInARow;
  private int opened;
  private Duration lastMerge = Duration.ZERO;

  Merger(Parts parts, Ledger ledger, RunClock clock, Settler settler, RunMode mode) {
    this.parts = parts;
    this.ledger = ledger;
    this.clock = clock;
    this.settler = settler;
    this.endless = mode == RunMode.FOR_EVER;
  }

  /** Merges until no batch is to be started any more. */
  void run() throws InterruptedException {
    Optional<Gathered> batch = ledger.takeBatch(clock, lastMerge);
    while (batch.isPresent()) {
      process(batch.get());
      batch = ledger.takeBatch(clock, lastMerge);
    }
    settler.awaitAcks();
  }

  private void process(Gathered batch) throws InterruptedException {
    Verdict verdict = merge(batch);
    switch (verdict) {
      case Verdict.Done done -> {
        failuresInARow = 0;
        opened = 0;
      }
      case Verdict.OutOfTime late -> {
        // Given back at the end of the run only: if it were given back now, this run would pull it
        // again.
      }
      case Verdict.Failed(String reason, boolean lasting) ->
          failed(batch.deliveries(), reason, lasting);
    }
  }

  private Verdict merge(Gathered batch) throws InterruptedException {
    Gathered.Content content = batch.content();
    if (!settler.bury(content.rejections())) {
      return withoutLetters(content);
    }
    return merge(content.pieces(), content);
  }

  /**
   * A queue goes on without messages whose dead letters could not be stored; a source in order must
   * not skip them.
   */
  private Verdict withoutLetters(Gathered.Content content) throws InterruptedException {
    Verdict.Failed failed = new Verdict.Failed("Dead letters could not be written", false);
    if (parts.source().inOrder()) {
      return failed;
    }
    Set<Delivery> left =
        content.rejections().stream().map(Settler.Rejection::delivery).collect(Collectors.toSet());
    List<Piece> rest =
        content.pieces().stream().filter(piece -> !left.contains(piece.delivery())).toList();
    Verdict verdict = rest.isEmpty() ? new Verdict.Done() : merge(rest, content);
    return verdict instanceof Verdict.Done ? failed : verdict;
  }

  /** Merges {@code pieces}, which have all rows of {@code content}. */
  private Verdict merge(List<Piece> pieces, Gathered.Content content) throws InterruptedException {
    settler.ack(settler.stored(content.ignored(), Count.IGNORED));
    BatchMerge merge = new BatchMerge(parts, ledger, clock, settler);
    try {
      return merge.run(pieces, content.rows());
    } finally {
      lastMerge = merge.longest();
    }
  }

  private void failed(List<Delivery> batch, String reason, boolean lasting)
      throws InterruptedException {
    failuresInARow++;
    boolean open = failuresInARow >= parts.options().breakerFailures() || parts.source().inOrder();
    boolean over = lasting || (open && !endless);
    if (over) {
      // The batch is given back when nobody pulls any more.
      ledger.end(new Ending.WarehouseFailed(reason));
      return;
    }
    settler.nack(batch, State.IN_FLIGHT, false);
    if (open) {
      pause();
    }
  }

  /** The breaker is open for a while; then one batch shows whether to go on. */
  private void pause() throws InterruptedException {
    parts.counters().add(Count.BREAKER_OPENED, 1);
    settler.nack(ledger.suspend(), State.BUFFERED, false);
    int doublings = Math.min(opened++, PAUSE_DOUBLINGS_MAX);
    clock.time().sleep(parts.options().breakerPause().multipliedBy(1L << doublings));
    failuresInARow = parts.options().breakerFailures() - 1;
    ledger.resume(parts.source().inOrder());
  }
}
