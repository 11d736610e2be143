package dev.tidemark.foundationdb.internal.cluster;

import dev.tidemark.kv.Database;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Samples of versions in a store, and what they tell, in microseconds since 1970. */
record Samples(Database db, VersionTimes times) {
  /** Writes a sample as the format page describes it. */
  void given(long version, long micros) {
    db.run(
        tx -> {
          byte[] stamp = ByteBuffer.allocate(10).putLong(version).array();
          byte[] moment = ByteBuffer.allocate(8).putLong(micros).array();
          tx.set(VersionTimes.BY_VERSION.append(stamp), moment);
          tx.set(VersionTimes.BY_TIME.append(moment), stamp);
        });
  }

  long microsOf(long version) {
    Instant instant = db.read(tx -> times.timeOf(tx, version));
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  long versionAt(long micros) {
    Instant instant = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    return db.read(tx -> times.versionAt(tx, instant));
  }
}
