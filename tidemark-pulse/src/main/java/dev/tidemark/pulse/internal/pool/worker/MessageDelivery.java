package dev.tidemark.pulse.internal.pool.worker;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.pulse.internal.pool.member.NodeLife;
import dev.tidemark.pulse.internal.pool.rows.JobClaim;
import dev.tidemark.pulse.internal.pool.rows.JobMail;
import dev.tidemark.pulse.internal.pool.rows.KeyMessages;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Hands the messages of a box, which a worker of this node has, to the worker. */
final class MessageDelivery {
  private final NodeLife life;
  private final Taker taker;
  private final Calls calls;

  /** What becomes of a message. */
  @FunctionalInterface
  interface Taker {
    /** Takes it. */
    void take(String key, byte[] payload) throws Exception;
  }

  /** How the store is called. */
  @FunctionalInterface
  interface Calls {
    /** Makes a call. */
    <T> T call(Supplier<T> call);
  }

  MessageDelivery(NodeLife life, Taker taker, Calls calls) {
    this.life = life;
    this.taker = taker;
    this.calls = calls;
  }

  /**
   * Hands over what is in the box now, as long as {@code goOn}; the rest goes to others. A crash,
   * or a failure of the store afterwards, has all of them handed over again.
   */
  void deliver(JobClaim claim, BooleanSupplier goOn) {
    RowStore rows = life.core().rows();
    List<JobMail.Letter> handed = new ArrayList<>();
    List<JobMail.Letter> letters =
        calls.call(() -> rows.read(all -> JobMail.letters(all, claim.key())));
    for (JobMail.Letter letter : letters) {
      if (life.isLost() || !goOn.getAsBoolean()) {
        break;
      }
      hand(KeyMessages.keyOf(claim.key()), letter.payload());
      handed.add(letter);
    }
    calls.call(
        () ->
            rows.transact(
                all -> {
                  KeyMessages.taken(all, claim, handed);
                  return handed.size();
                }));
  }

  private void hand(String key, byte[] payload) {
    try {
      taker.take(key, payload);
    } catch (Throwable failure) {
      life.core().report("The message for the key %s failed".formatted(key), failure);
    }
  }
}
