package dev.tidemark.bench.engine;

import dev.tidemark.bench.rows.Batch;
import dev.tidemark.bench.rows.Dataset;
import dev.tidemark.bench.rows.Rival;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import jetbrains.exodus.ArrayByteIterable;
import jetbrains.exodus.env.Environment;
import jetbrains.exodus.env.EnvironmentConfig;
import jetbrains.exodus.env.Environments;
import jetbrains.exodus.env.Store;
import jetbrains.exodus.env.StoreConfig;
import jetbrains.exodus.env.Transaction;

/** Xodus with durable writes: every commit is synced. */
final class XodusRival implements Rival {
  private static final int LOAD_ROWS = 50_000;
  private static final long CACHE_BYTES = 256L << 20;

  private final Environment environment;
  private final Store store;

  XodusRival(Path directory) {
    EnvironmentConfig config =
        new EnvironmentConfig().setLogDurableWrite(true).setMemoryUsage(CACHE_BYTES);
    environment = Environments.newInstance(directory.resolve("xodus").toFile(), config);
    store =
        environment.computeInTransaction(
            tx -> environment.openStore("kv", StoreConfig.WITHOUT_DUPLICATES, tx));
  }

  @Override
  public String name() {
    return "xodus";
  }

  @Override
  public void load(Dataset dataset) {
    SplittableRandom random = new SplittableRandom(1);
    for (int from = 0; from < dataset.size(); from += LOAD_ROWS) {
      int begin = from;
      int end = Math.min(from + LOAD_ROWS, dataset.size());
      environment.executeInExclusiveTransaction(
          tx -> {
            for (int i = begin; i < end; i++) {
              put(tx, dataset.sorted(i), Dataset.value(random));
            }
          });
    }
  }

  @Override
  public void commit(List<Batch> batches) {
    environment.executeInExclusiveTransaction(
        tx -> {
          for (Batch batch : batches) {
            batch.writeTo((key, value) -> put(tx, key, value));
          }
        });
  }

  private void put(Transaction tx, byte[] key, byte[] value) {
    store.put(tx, new ArrayByteIterable(key), new ArrayByteIterable(value));
  }

  @Override
  public void close() {
    environment.close();
  }
}
