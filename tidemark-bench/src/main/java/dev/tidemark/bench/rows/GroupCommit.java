package dev.tidemark.bench.rows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A queue in front of a rival, so that what many threads want committed shares one sync. */
public final class GroupCommit<B> implements AutoCloseable {
  private static final int MOST = 256;

  private final Commit<B> commit;
  private final BlockingQueue<Waiting<B>> queue = new LinkedBlockingQueue<>();
  private final Thread committer;
  private volatile boolean closed;

  private record Waiting<B>(B batch, CompletableFuture<Boolean> done) {}

  /** Carries out batches in one transaction. */
  @FunctionalInterface
  public interface Commit<B> {
    /** Returns when all of {@code batches} are on disk. */
    void commit(List<B> batches) throws Exception;
  }

  public GroupCommit(Commit<B> commit) {
    this.commit = commit;
    this.committer = Thread.ofPlatform().daemon().name("group-commit").start(this::run);
  }

  /** Returns when {@code batch} is on disk. */
  public void commit(B batch) {
    Waiting<B> waiting = new Waiting<>(batch, new CompletableFuture<>());
    queue.add(waiting);
    waiting.done().join();
  }

  private void run() {
    List<Waiting<B>> group = new ArrayList<>();
    while (!closed) {
      try {
        Waiting<B> first = queue.poll(50, TimeUnit.MILLISECONDS);
        if (first != null) {
          group.add(first);
          queue.drainTo(group, MOST - 1);
          commit.commit(group.stream().map(Waiting::batch).toList());
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
