package dev.tidemark.loader.internal.engine;

import dev.tidemark.loader.LoadResult.Ending;
import dev.tidemark.loader.Mapping;
import dev.tidemark.loader.MessageInfo.State;
import dev.tidemark.loader.Row;
import dev.tidemark.loader.internal.engine.Counters.Count;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
    List<Delivery> batch = ledger.takeBatch(clock, lastMerge);
    while (!batch.isEmpty()) {
      process(batch);
      batch = ledger.takeBatch(clock, lastMerge);
    }
    settler.awaitAcks();
  }

  private void process(List<Delivery> batch) throws InterruptedException {
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
      case Verdict.Failed(String reason, boolean lasting) -> failed(batch, reason, lasting);
    }
  }

  private Verdict merge(List<Delivery> batch) throws InterruptedException {
    List<Piece> pieces = new ArrayList<>(batch.size());
    List<Settler.Rejection> rejections = new ArrayList<>();
    List<Delivery> ignored = new ArrayList<>();
    for (Delivery delivery : batch) {
      switch (delivery.mapped()) {
        case Mapping.Result.Mapped(Row row) -> pieces.add(new Piece(delivery, row));
        case Mapping.Result.Rejected(String reason) -> {
          rejections.add(new Settler.Rejection(delivery, reason));
          pieces.add(new Piece(delivery, null));
        }
        case Mapping.Result.Ignored none -> {
          ignored.add(delivery);
          pieces.add(new Piece(delivery, null));
        }
      }
    }
    if (!settler.bury(rejections)) {
      return withoutLetters(pieces, rejections, ignored);
    }
    return merge(pieces, ignored);
  }

  /**
   * A queue goes on without messages whose dead letters could not be stored; a source in order must
   * not skip them.
   */
  private Verdict withoutLetters(
      List<Piece> pieces, List<Settler.Rejection> rejections, List<Delivery> ignored)
      throws InterruptedException {
    Verdict.Failed failed = new Verdict.Failed("Dead letters could not be written", false);
    if (parts.source().inOrder()) {
      return failed;
    }
    Set<Delivery> left =
        rejections.stream().map(Settler.Rejection::delivery).collect(Collectors.toSet());
    List<Piece> rest = pieces.stream().filter(piece -> !left.contains(piece.delivery())).toList();
    Verdict verdict = rest.isEmpty() ? new Verdict.Done() : merge(rest, ignored);
    return verdict instanceof Verdict.Done ? failed : verdict;
  }

  private Verdict merge(List<Piece> pieces, List<Delivery> ignored) throws InterruptedException {
    settler.ack(settler.stored(ignored, Count.IGNORED));
    BatchMerge merge = new BatchMerge(parts, ledger, clock, settler);
    try {
      return merge.run(pieces);
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
