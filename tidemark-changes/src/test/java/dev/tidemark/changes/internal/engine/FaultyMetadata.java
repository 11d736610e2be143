package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.MetadataStore;
import dev.tidemark.kv.UnavailableException;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.function.Function;

/** A metadata store whose changes fail, or crash the process, before or after they took place. */
final class FaultyMetadata implements MetadataStore {
  /** The process ends here. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("crash");
    }
  }

  private final MetadataStore store;
  private final SplittableRandom random;
  private double failing;
  private double crashing;
  private int crashes;

  FaultyMetadata(MetadataStore store, SplittableRandom random) {
    this.store = store;
    this.random = random;
  }

  void setFaults(double failShare, double crashShare) {
    failing = failShare;
    crashing = crashShare;
  }

  int crashes() {
    return crashes;
  }

  @Override
  public <T> T update(String run, Function<Rows, T> body) {
    trouble();
    T result = store.update(run, body);
    trouble();
    return result;
  }

  private void trouble() {
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
