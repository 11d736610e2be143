package dev.tidemark.changes.internal.metadata;

import dev.tidemark.changes.MetadataStore;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Subspace;
import dev.tidemark.kv.Transaction;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/** Runs in a database: each change is one transaction. */
public final class KvMetadata implements MetadataStore {
  private final Database database;
  private final Subspace space;

  /** A store below {@code space}. */
  public KvMetadata(Database database, Subspace space) {
    this.database = database;
    this.space = space;
  }

  @Override
  public <T> T update(String run, Function<Rows, T> body) {
    return database.transact(tx -> body.apply(in(tx, run)));
  }

  @Override
  public <T> T read(String run, Function<Rows, T> body) {
    return database.read(tx -> body.apply(KvRows.readOnly(tx, space(run))));
  }

  @Override
  public Rows in(Transaction tx, String run) {
    return KvRows.of(tx, space(run));
  }

  @Override
  public Optional<Database> database() {
    return Optional.of(database);
  }

  @Override
  public Instant now() {
    return database.time().instant();
  }

  @Override
  public void delete(String run) {
    database.run(tx -> tx.clear(space(run).prefixRange()));
  }

  private Subspace space(String run) {
    return space.sub(run);
  }
}
