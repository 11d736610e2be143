package dev.tidemark.pulse.testkit;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.decorate.ForwardingDatabase;

/** A database that cannot be reached while it is cut. */
final class CutDatabase extends ForwardingDatabase {
  private static final int UNREACHABLE = 1039;
  private volatile boolean cut;

  CutDatabase(Database delegate) {
    super(delegate);
  }

  /** A pulse over {@code database} whose way there can be cut. */
  static PoolConformance.CutPulse pulse(Database database) {
    CutDatabase way = new CutDatabase(database);
    return new PoolConformance.CutPulse(Pulse.on(way), () -> way.cut = true, () -> way.cut = false);
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    if (cut) {
      throw new UnavailableException(UNREACHABLE, "The way to the store is cut", null);
    }
    return super.begin(options);
  }
}
