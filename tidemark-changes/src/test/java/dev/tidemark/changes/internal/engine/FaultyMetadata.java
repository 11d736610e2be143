package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.MetadataStore;
import dev.tidemark.kv.UnavailableException;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.function.Function;

/** A metadata store whose changes fail, or crash the process, before or after they took place. */
public final class FaultyMetadata implements MetadataStore {
  /** The process ends here. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("crash");
    }
  }

  private final MetadataStore store;
  private final SplittableRandom random;
  private volatile double failing;
  private volatile double crashing;
  private int crashes;
  private int moments;
  private int crashAt = -1;
  private volatile Runnable before = () -> {};

  /** Faults before and after changes of {@code store}, drawn from {@code random}. */
  public FaultyMetadata(MetadataStore store, SplittableRandom random) {
    this.store = store;
    this.random = random;
  }

  /** The shares of changes that fail, and that crash the process. */
  public void setFaults(double failShare, double crashShare) {
    failing = failShare;
    crashing = crashShare;
  }

  /** Has {@code action} run before each change. */
  public void setBefore(Runnable action) {
    before = action;
  }

  /** Crashes at the moment with this number; each change has one before it and one after it. */
  void crashAt(int moment) {
    crashAt = moment;
  }

  /** Crashes right before the next change takes place. */
  void crashBeforeNext() {
    crashAt(moments);
  }

  /** Crashes right after the next change has taken place. */
  void crashAfterNext() {
    crashAt(moments + 1);
  }

  int crashes() {
    return crashes;
  }

  @Override
  public <T> T update(String run, Function<Rows, T> body) {
    before.run();
    trouble();
    T result = store.update(run, body);
    trouble();
    return result;
  }

  private void trouble() {
    if (moments++ == crashAt) {
      crashes++;
      throw new Crash();
    }
    double chance = random.nextDouble();
    if (chance < crashing) {
      crashes++;
      throw new Crash();
    }
    if (chance < crashing + failing) {
      throw new UnavailableException(1009, "Injected", null);
    }
  }

  @Override
  public <T> T read(String run, Function<Rows, T> body) {
    return store.read(run, body);
  }

  @Override
  public Instant now() {
    return store.now();
  }

  @Override
  public void delete(String run) {
    store.delete(run);
  }
}
