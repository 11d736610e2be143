package dev.tidemark.bench.engine;

import dev.tidemark.bench.rows.Batch;
import dev.tidemark.bench.rows.Dataset;
import dev.tidemark.bench.rows.Rival;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;

/**
 * H2's MVStore: a commit writes a chunk, a sync brings it to disk. Writers are kept apart from
 * outside, which costs less than its transaction layer.
 */
final class MvStoreRival implements Rival {
  private static final int LOAD_ROWS = 50_000;
  private static final int CACHE_MB = 256;

  private final MVStore store;
  private final MVMap<byte[], byte[]> map;

  MvStoreRival(Path directory) {
    store =
        new MVStore.Builder()
            .fileName(directory.resolve("mvstore.db").toString())
            .autoCommitDisabled()
            .cacheSize(CACHE_MB)
            .open();
    map =
        store.openMap(
            "kv",
            new MVMap.Builder<byte[], byte[]>()
                .keyType(ByteArrayDataType.INSTANCE)
                .valueType(ByteArrayDataType.INSTANCE));
  }

  @Override
  public String name() {
    return "mvstore";
  }

  @Override
  public void load(Dataset dataset) {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < dataset.size(); i++) {
      map.put(dataset.sorted(i), Dataset.value(random));
      if (i % LOAD_ROWS == LOAD_ROWS - 1) {
        store.commit();
      }
    }
    store.commit();
    store.sync();
  }

  @Override
  public void commit(List<Batch> batches) {
    for (Batch batch : batches) {
      batch.writeTo(map::put);
    }
    store.commit();
    store.sync();
  }

  @Override
  public void close() {
    store.closeImmediately();
  }
}
