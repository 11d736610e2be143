package dev.tidemark.node.internal.tour;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Work done by several virtual threads at the same time. */
final class Together {
  private Together() {}

  /** The work of one thread. */
  @FunctionalInterface
  interface Work {
    void run(int thread) throws Exception;
  }

  /** Runs {@code work} in {@code threads} threads and waits for all of them. */
  static void run(int threads, Work work) throws InterruptedException, ExecutionException {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        running.add(
            executor.submit(
                () -> {
                  work.run(thread);
                  return null;
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    }
  }
}
