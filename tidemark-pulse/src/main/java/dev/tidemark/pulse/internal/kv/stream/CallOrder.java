package dev.tidemark.pulse.internal.kv.stream;

import dev.tidemark.kv.AttachmentKey;
import dev.tidemark.kv.Transaction;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Numbers the events that one transaction adds, in the order of the calls.
 *
 * <p>The number belongs to the transaction: two handles on the same stream, be they of different
 * {@code Pulse} instances, must not give two events of a transaction the same number.
 */
final class CallOrder {
  private static final int NUMBERS = 1 << 16;

  private static final AttachmentKey<AtomicInteger> NEXT =
      AttachmentKey.of("pulse: number of the next event", AtomicInteger::new);

  private CallOrder() {}

  /**
   * The number of the next event of {@code tx}.
   *
   * @throws IllegalStateException if the transaction has used all of them
   */
  static int next(Transaction tx) {
    int number = tx.attachment(NEXT).getAndUpdate(used -> Math.min(used + 1, NUMBERS));
    if (number == NUMBERS) {
      throw new IllegalStateException(
          "One transaction adds at most %,d events; split the work".formatted(NUMBERS));
    }
    return number;
  }
}
