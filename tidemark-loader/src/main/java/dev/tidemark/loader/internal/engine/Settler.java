package dev.tidemark.loader.internal.engine;

import dev.tidemark.loader.DeadLetter;
import dev.tidemark.loader.LoadResult.Ending;
import dev.tidemark.loader.Message;
import dev.tidemark.loader.MessageInfo.State;
import dev.tidemark.loader.MessageSource.Acknowledged;
import dev.tidemark.loader.SourceException;
import dev.tidemark.loader.internal.engine.Counters.Count;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells the source the outcome of each delivery, once, and writes dead letters. */
final class Settler {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.loader");

  private final Parts parts;
  private final Ledger ledger;
  private volatile @Nullable Thread acking;

  Settler(Parts parts, Ledger ledger) {
    this.parts = parts;
    this.ledger = ledger;
  }

  /** A delivery that becomes a dead letter. */
  record Rejection(Delivery delivery, String reason) {}

  /** Acknowledges those of {@code deliveries} that are stored and not settled yet. */
  void ack(List<Delivery> deliveries) {
    List<Delivery> claimed = ledger.claim(deliveries, State.STORED, State.ACKED);
    chunked(claimed, this::ackChunk);
    Trace.became(State.ACKED, claimed);
    ledger.forget(claimed);
  }

  /**
   * Does the same beside the caller, after what was handed over before: the next batch is merged
   * while the source syncs. Only the merger calls this.
   */
  void ackBeside(List<Delivery> deliveries) throws InterruptedException {
    List<Delivery> list = List.copyOf(deliveries);
    awaitAcks();
    acking =
        Thread.ofVirtual()
            .name("loader-ack-" + parts.source().name())
            .start(
                () -> {
                  try {
                    ack(list);
                  } catch (Throwable failure) {
                    LOG.log(Level.ERROR, "The loader cannot acknowledge; its run ends", failure);
                    ledger.end(new Ending.Crashed(failure));
                  }
                });
  }

  /** Waits until what was handed over is acknowledged. */
  void awaitAcks() throws InterruptedException {
    Thread last = acking;
    if (last != null) {
      last.join();
    }
  }

  private void ackChunk(List<Message> messages) {
    long lost = messages.size();
    try {
      Acknowledged answer = tried("acknowledge", () -> parts.source().ack(messages));
      lost = answer.lost();
    } catch (SourceException failure) {
      LOG.log(Level.WARNING, "Messages are stored and not acknowledged; they come again", failure);
    }
    parts.counters().add(Count.ACKS_LOST, lost);
  }

  /** Gives those of {@code deliveries} back that are in {@code from}. */
  void nack(List<Delivery> deliveries, State from, boolean forTime) {
    List<Delivery> claimed = ledger.claim(deliveries, from, State.NACKED);
    parts.counters().add(Count.NACKED, claimed.size());
    parts.counters().add(Count.NACKED_FOR_TIME, forTime ? claimed.size() : 0);
    chunked(claimed, this::giveBack);
    Trace.became(State.NACKED, claimed);
    ledger.forget(claimed);
  }

  /** Gives messages back that are in no state. */
  void giveBack(List<Message> messages) {
    try {
      tried(
          "give back",
          () -> {
            parts.source().nack(messages);
            return messages.size();
          });
    } catch (SourceException failure) {
      LOG.log(
          Level.WARNING, "Messages are not given back; they come when their lease ends", failure);
    }
  }

  /** Gives messages back that were not admitted. */
  void refuse(List<Message> messages) {
    parts.counters().add(Count.NACKED, messages.size());
    parts.counters().add(Count.NACKED_FOR_TIME, ledger.isOutOfTime() ? messages.size() : 0);
    giveBack(messages);
  }

  /** Counts deliveries that have been stored, and marks them. */
  List<Delivery> stored(List<Delivery> deliveries, Count count) {
    List<Delivery> claimed = ledger.claim(deliveries, State.IN_FLIGHT, State.STORED);
    parts.counters().add(count, claimed.size());
    Trace.became(State.STORED, claimed);
    return claimed;
  }

  /**
   * Writes dead letters; true if they are stored. Otherwise nothing has happened to the deliveries.
   */
  boolean bury(List<Rejection> rejections) {
    if (rejections.isEmpty()) {
      return true;
    }
    List<DeadLetter> letters = new ArrayList<>(rejections.size());
    List<Delivery> deliveries = new ArrayList<>(rejections.size());
    for (Rejection rejection : rejections) {
      Delivery delivery = rejection.delivery();
      deliveries.add(delivery);
      letters.add(
          new DeadLetter(
              delivery.id(),
              parts.source().name(),
              delivery.message(),
              rejection.reason(),
              parts.options().time().instant()));
    }
    if (!written(letters)) {
      return false;
    }
    ack(stored(deliveries, Count.DEAD));
    return true;
  }

  private boolean written(List<DeadLetter> letters) {
    try {
      return tried(
          "write the dead letters of",
          () -> {
            write(letters);
            return true;
          });
    } catch (SourceException failure) {
      LOG.log(
          Level.WARNING, "Dead letters are not written; their messages are given back", failure);
      return false;
    }
  }

  private void write(List<DeadLetter> letters) {
    try {
      parts.letters().write(letters);
    } catch (RuntimeException failure) {
      throw SourceException.passing("Dead letters cannot be written: " + failure, failure);
    }
  }

  /** Renews the leases of all open deliveries. */
  void extend() {
    chunked(
        ledger.open(),
        messages -> {
          try {
            parts.source().extend(messages);
            parts.counters().add(Count.EXTENSIONS, messages.size());
          } catch (SourceException failure) {
            LOG.log(Level.WARNING, "Leases are not renewed; messages may come twice", failure);
          }
        });
  }

  private interface Request<T> {
    T send();
  }

  private <T> T tried(String what, Request<T> request) {
    for (int attempt = 1; ; attempt++) {
      try {
        return request.send();
      } catch (SourceException failure) {
        if (!failure.retryable() || attempt >= parts.options().retries().attemptsMax()) {
          throw failure;
        }
        LOG.log(Level.DEBUG, () -> "Could not " + what + " messages: " + failure.getMessage());
        pause(attempt, failure);
      }
    }
  }

  private void pause(int attempt, SourceException failure) {
    try {
      parts
          .options()
          .time()
          .sleep(Pauses.after(parts.options().retries(), attempt, parts.ids().next()));
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw failure;
    }
  }

  private void chunked(List<Delivery> deliveries, Consumer<List<Message>> each) {
    int most = parts.source().requestMax();
    for (int from = 0; from < deliveries.size(); from += most) {
      int to = Math.min(from + most, deliveries.size());
      each.accept(deliveries.subList(from, to).stream().map(Delivery::message).toList());
    }
  }
}
