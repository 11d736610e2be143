package dev.tidemark.embedded.internal;

import dev.tidemark.embedded.internal.read.PinnedVersion;
import dev.tidemark.embedded.internal.read.ReadAhead;
import dev.tidemark.embedded.internal.storage.PublishedVersions;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.spi.BaseReads;
import dev.tidemark.kv.spi.IdentifiedCommit;
import dev.tidemark.kv.spi.KeyWatch;
import dev.tidemark.kv.spi.PromptTransaction;
import dev.tidemark.kv.spi.StoreIdentity;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.kv.spi.commit.CommitId;
import dev.tidemark.kv.spi.commit.CommitListener;
import dev.tidemark.kv.spi.scan.ScanPortion;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A transaction of an embedded database. */
final class EmbeddedTransaction extends PromptTransaction {
  private final Engine engine;
  private final AtomicBoolean open = new AtomicBoolean(true);

  /** When it was opened, if it is a batch transaction. */
  private final @Nullable Long batchSince;

  private volatile @Nullable Reads reads;

  EmbeddedTransaction(Engine engine, TransactionOptions options) {
    super(options, engine.options().limits(), engine.options().time());
    this.engine = engine;
    this.batchSince =
        options.priority() == TransactionOptions.Priority.BATCH
            ? (Long) engine.options().time().nanos()
            : null;
    engine.counters().transactionOpened();
    if (batchSince != null) {
      engine.batches().opened();
    }
  }

  @Override
  protected BaseReads openBase() {
    PinnedVersion latest = engine.versions().hold();
    return opened(new Reads(engine, latest, latest.version(), engine.options().time().nanos()));
  }

  @Override
  protected BaseReads openBase(long version) {
    PublishedVersions.Kept kept = engine.versions().hold(version);
    if (kept == null) {
      throw new TransactionTooOldException(
          ("Version %d is no longer kept: later commits have replaced it, and no open transaction"
                  + " has read it within %s since. Set a newer read version, or none")
              .formatted(version, engine.options().limits().readWindow()));
    }
    return opened(new Reads(engine, kept.pinned(), version, kept.latestUntilNanos()));
  }

  private Reads opened(Reads opened) {
    reads = opened;
    return opened;
  }

  @Override
  protected Commit.Position commit(Commit commit) {
    checkReads(commit);
    return engine.commit(commit, nanosLeft());
  }

  @Override
  protected Runnable commitLater(Commit commit, CommitListener listener) {
    checkReads(commit);
    return engine.commitLater(commit, listener);
  }

  @Override
  public StoreIdentity identity() {
    return engine.identity();
  }

  @Override
  public CommitId.Fate settle(IdentifiedCommit commit) {
    return engine.settle(commit, nanosLeft());
  }

  private void checkReads(Commit commit) {
    Reads opened = reads;
    if (commit.hasReads() && opened != null) {
      opened.checkWindow();
    } else if (commit.hasReads()) {
      engine.versions().checkCommitted(commit.readVersion());
    }
  }

  @Override
  protected KeyWatch newWatch(Key key, byte @Nullable [] seen) {
    return engine.watches().create(key, seen);
  }

  @Override
  protected void activate(KeyWatch watch) {
    engine.activate(watch);
  }

  @Override
  protected void checkDatabaseOpen() {
    engine.checkOpen();
  }

  @Override
  protected void closed() {
    if (open.compareAndSet(true, false)) {
      engine.counters().transactionClosed();
      if (batchSince != null) {
        engine.batches().left(batchSince);
      }
    }
  }

  /** Reads of one version, for as long as the read window goes on. */
  private static final class Reads implements BaseReads {
    private final Engine engine;
    private final PinnedVersion pinned;
    private final ReadAhead scans;
    private final long version;
    private final long startNanos;
    private final AtomicBoolean held = new AtomicBoolean(true);

    Reads(Engine engine, PinnedVersion pinned, long version, long startNanos) {
      this.engine = engine;
      this.pinned = pinned;
      this.scans = new ReadAhead(pinned);
      this.version = version;
      this.startNanos = startNanos;
    }

    @Override
    public long version() {
      return version;
    }

    @Override
    public byte @Nullable [] get(Key key) {
      checkWindow();
      return pinned.get(key.unsafeBytes());
    }

    @Override
    public @Nullable AtHand getAtHand(Key key) {
      checkWindow();
      return pinned.getAtHand(key.unsafeBytes());
    }

    @Override
    public Map<Key, byte[]> getAll(Collection<Key> keys) {
      checkWindow();
      return keys.isEmpty() ? Map.of() : pinned.getAll(keys);
    }

    @Override
    public ScanPortion scan(Key begin, Key end, int rows, int bytes, boolean reverse) {
      checkWindow();
      return scans.scan(begin, end, rows, bytes, reverse);
    }

    @Override
    public ScanPortion scanShared(Key begin, Key end, int rows, int bytes, boolean reverse) {
      checkWindow();
      return pinned.scanShared(begin.unsafeBytes(), end.unsafeBytes(), rows, bytes, reverse);
    }

    @Override
    public boolean isUnchanged(Key begin, Key end, long since) {
      checkWindow();
      return pinned.isUnchanged(begin.unsafeBytes(), end.unsafeBytes(), since);
    }

    private void checkWindow() {
      long age = engine.options().time().nanos() - startNanos;
      if (age > engine.options().limits().readWindow().toNanos()) {
        throw tooOld(engine);
      }
    }

    @Override
    public void close() {
      if (held.compareAndSet(true, false)) {
        pinned.drop();
      }
    }
  }

  static TransactionTooOldException tooOld(Engine engine) {
    return new TransactionTooOldException(
        ("The transaction's first read was more than %s ago, and that version is no longer kept."
                + " Make transactions shorter, or go on in a new one")
            .formatted(engine.options().limits().readWindow()));
  }
}
