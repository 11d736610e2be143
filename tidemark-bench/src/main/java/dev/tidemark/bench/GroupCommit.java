package dev.tidemark.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A queue in front of a rival, so that what many threads want committed shares one sync. */
final class GroupCommit implements AutoCloseable {
  private static final int MOST = 256;

  private final Rival rival;
  private final BlockingQueue<Waiting> queue = new LinkedBlockingQueue<>();
  private final Thread committer;
  private volatile boolean closed;

  private record Waiting(Batch batch, CompletableFuture<Boolean> done) {}

  GroupCommit(Rival rival) {
    this.rival = rival;
    this.committer = Thread.ofPlatform().daemon().name("group-commit").start(this::run);
  }

  /** Returns when {@code batch} is on disk. */
  void commit(Batch batch) {
    Waiting waiting = new Waiting(batch, new CompletableFuture<>());
    queue.add(waiting);
    waiting.done().join();
  }

  private void run() {
    List<Waiting> group = new ArrayList<>();
    while (!closed) {
      try {
        Waiting first = queue.poll(50, TimeUnit.MILLISECONDS);
        if (first != null) {
          group.add(first);
          queue.drainTo(group, MOST - 1);
          rival.commit(group.stream().map(Waiting::batch).toList());
          group.forEach(waiting -> waiting.done().complete(true));
        }
      } catch (Exception failure) {
        group.forEach(waiting -> waiting.done().completeExceptionally(failure));
      }
      group.clear();
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      committer.join();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }
}
