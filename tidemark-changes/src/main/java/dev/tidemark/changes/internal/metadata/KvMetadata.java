package dev.tidemark.changes.internal.metadata;

import dev.tidemark.changes.MetadataStore;
import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.StoreClock;
import dev.tidemark.coordination.StoreTime;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/** Runs in a database: each change is one transaction. */
public final class KvMetadata implements MetadataStore {
  private final Database database;
  private final Subspace space;
  private final StoreTime clock;

  /** A store below {@code space}. */
  public KvMetadata(Database database, Subspace space) {
    this.database = database;
    this.space = space;
    this.clock = new StoreClock(database, space.pack("clock"));
  }

  @Override
  public <T> T update(String run, Function<Rows, T> body) {
    return database.transact(tx -> body.apply(in(tx, run)));
  }

  @Override
  public <T> T read(String run, Function<Rows, T> body) {
    return database.transact(tx -> body.apply(in(tx, run)));
  }

  @Override
  public Rows in(Transaction tx, String run) {
    Subspace own = space(run);
    return new KvRows(tx, own, RowStore.in(database, own.sub("leases")).in(tx));
  }

  @Override
  public Optional<Database> database() {
    return Optional.of(database);
  }

  @Override
  public Instant now() {
    return clock.now();
  }

  @Override
  public void delete(String run) {
    database.run(tx -> tx.clear(space(run).prefixRange()));
  }

  private Subspace space(String run) {
    return space.sub("run", run);
  }
}
