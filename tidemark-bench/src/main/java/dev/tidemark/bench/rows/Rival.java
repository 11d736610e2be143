package dev.tidemark.bench.rows;

import java.util.List;

/** Another store for the same rows. One thread at a time writes to it; see {@link GroupCommit}. */
public interface Rival extends AutoCloseable {
  /** Names it in results. */
  String name();

  /** Stores all rows in ascending order, which is the fastest for all rivals. */
  void load(Dataset dataset) throws Exception;

  /** Carries out {@code batches} in one transaction and returns when it is on disk. */
  void commit(List<Batch> batches) throws Exception;

  @Override
  void close();
}
