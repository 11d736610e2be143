package dev.tidemark.bench.rows;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The writes of one commit: random rows get new values. */
public final class Batch {
  public static final int WRITES = 10;

  private final List<byte[]> keys = new ArrayList<>(WRITES);
  private final List<byte[]> values = new ArrayList<>(WRITES);

  /** Takes one write. */
  @FunctionalInterface
  public interface Sink<X extends Exception> {
    /** Writes. */
    void put(byte[] key, byte[] value) throws X;
  }

  public static Batch random(Dataset dataset, SplittableRandom random) {
    Batch batch = new Batch();
    for (int i = 0; i < WRITES; i++) {
      batch.keys.add(dataset.random(random));
      batch.values.add(Dataset.value(random));
    }
    return batch;
  }

  /** Adds one write. */
  public Batch with(byte[] key, byte[] value) {
    keys.add(key);
    values.add(value);
    return this;
  }

  public <X extends Exception> void writeTo(Sink<X> sink) throws X {
    for (int i = 0; i < keys.size(); i++) {
      sink.put(keys.get(i), values.get(i));
    }
  }
}
