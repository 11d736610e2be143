package dev.tidemark.bench.measure;

/** Something that is measured: a load that runs for a while and counts what it has done. */
@FunctionalInterface
public interface Contestant {
  /** Works until {@link System#nanoTime} has passed {@code deadline}; returns operations done. */
  long run(long deadline) throws Exception;

  /** One operation, again and again, in the calling thread. */
  static Contestant loop(Operation operation) {
    return deadline -> {
      long count = 0;
      while (System.nanoTime() < deadline) {
        operation.run();
        count++;
      }
      return count;
    };
  }

  /** One thing to do. */
  @FunctionalInterface
  interface Operation {
    /** Does it once. */
    void run() throws Exception;
  }
}
