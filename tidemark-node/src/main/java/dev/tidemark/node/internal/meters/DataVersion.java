package dev.tidemark.node.internal.meters;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import java.nio.file.Path;

/** Which version of the demo has written the data. */
final class DataVersion {
  private static final Key KEY = Subspace.of("demo", "version").pack();
  private static final long CURRENT = 2;

  private DataVersion() {}

  /**
   * Marks data that are new.
   *
   * @throws MeterDemoException if they are there and of another version
   */
  static void check(Database database, Path directory) {
    long found = database.transact(DataVersion::versionIn);
    if (found != CURRENT) {
      throw new MeterDemoException(
          "The data in %s are of version %d of the demo, and this one reads version %d; give --data another directory, or remove this one"
              .formatted(directory, found, CURRENT));
    }
  }

  private static long versionIn(Transaction tx) {
    if (tx.get(KEY).isPresent()) {
      return Tuple.unpack(tx.get(KEY).get()).getLong(0);
    }
    if (!Published.all(tx).isEmpty()) {
      return 1;
    }
    tx.set(KEY, Tuple.of(CURRENT).pack());
    return CURRENT;
  }
}
