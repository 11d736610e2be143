package dev.tidemark.kv.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.AttachmentKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is attached to a transaction is there once, whoever asks. */
class TransactionAttachmentsTest {
  private static final int THREADS = 3;
  private static final int ROUNDS = 2_000;

  private static final List<AttachmentKey<AtomicInteger>> KEYS =
      List.of(
          AttachmentKey.of("one", AtomicInteger::new),
          AttachmentKey.of("two", AtomicInteger::new),
          AttachmentKey.of("three", AtomicInteger::new));

  @Test
  void eachKeyHasOneState() {
    TransactionAttachments attachments = new TransactionAttachments();
    KEYS.forEach(key -> attachments.get(key).addAndGet(KEYS.indexOf(key)));

    KEYS.forEach(key -> assertThat(attachments.get(key)).hasValue(KEYS.indexOf(key)));
  }

  @Test
  void threadsThatAskAtOnceUseTheSameState() throws Exception {
    List<TransactionAttachments> all = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      all.add(new TransactionAttachments());
    }
    CyclicBarrier together = new CyclicBarrier(THREADS);
    List<FutureTask<Boolean>> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int first = i;
      threads.add(
          new FutureTask<>(
              () -> {
                for (TransactionAttachments attachments : all) {
                  together.await();
                  for (int next = first; next < first + KEYS.size(); next++) {
                    attachments.get(KEYS.get(next % KEYS.size())).incrementAndGet();
                  }
                }
                return true;
              }));
      Thread.ofPlatform().daemon().start(threads.getLast());
    }
    for (FutureTask<Boolean> thread : threads) {
      assertThat(thread.get()).isTrue();
    }
    for (TransactionAttachments attachments : all) {
      KEYS.forEach(key -> assertThat(attachments.get(key)).hasValue(THREADS));
    }
  }
}
