package dev.tidemark.changes.internal.engine;

import dev.tidemark.coordination.Threads;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/** The virtual threads of a reader, which end with it. */
public final class Crew implements Executor {
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private volatile boolean dismissed;

  /** Runs a call of the program's handler. */
  @Override
  public void execute(Runnable task) {
    start("changes-handler", task);
  }

  /** Runs {@code task} on a thread of its own; not after the crew was dismissed. */
  void start(String name, Runnable task) {
    Thread thread =
        Thread.ofVirtual()
            .name(name)
            .unstarted(
                () -> {
                  try {
                    task.run();
                  } finally {
                    threads.remove(Thread.currentThread());
                  }
                });
    threads.add(thread);
    if (dismissed) {
      threads.remove(thread);
      return;
    }
    thread.start();
  }

  /** Interrupts all threads and waits for them; the own thread, if it is one of them, goes on. */
  void dismiss() {
    dismissed = true;
    List<Thread> others =
        threads.stream().filter(thread -> !thread.equals(Thread.currentThread())).toList();
    others.forEach(Thread::interrupt);
    if (!threads.contains(Thread.currentThread())) {
      Threads.awaitEnd(others);
    }
  }

  /** How many threads there are. */
  int size() {
    return threads.size();
  }
}
