package dev.tidemark.remote.internal.client;

import com.google.protobuf.ByteString;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.spi.BaseReads;
import dev.tidemark.kv.spi.IdentifiedCommit;
import dev.tidemark.kv.spi.IdentifiedTransaction;
import dev.tidemark.kv.spi.KeyWatch;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.kv.spi.commit.CommitId;
import org.jspecify.annotations.Nullable;

/** A transaction of a served database, whose writes stay here until the commit. */
final class RemoteTransaction extends IdentifiedTransaction {
  private final StoreClient client;
  private volatile @Nullable RemoteReads reads;

  /** In which opening of a store its version is one: by now the last that the client knows of. */
  private volatile ByteString opening;

  RemoteTransaction(StoreClient client, TransactionOptions options) {
    super(options, client.limits(), client.options().time());
    this.client = client;
    this.opening = client.opening();
  }

  @Override
  protected BaseReads openBase() {
    RemoteReads latest = opened(0);
    opening = latest.opening();
    return latest;
  }

  @Override
  protected BaseReads openBase(long version) {
    RemoteReads set = opened(version);
    try {
      StoreClient.checkSame(opening, set.opening());
      return set;
    } catch (TransactionTooOldException other) {
      set.close();
      throw other;
    }
  }

  private RemoteReads opened(long version) {
    RemoteReads opened = new RemoteReads(client, version, this::nanosLeft);
    reads = opened;
    return opened;
  }

  @Override
  protected long recentVersion() {
    StoreClient.Seen recent = client.recentVersion();
    if (recent.version() > 0) {
      opening = recent.opening();
    }
    return recent.version();
  }

  @Override
  protected Commit.Position commit(Commit commit) {
    RemoteReads opened = reads;
    if (commit.hasReads() && opened != null) {
      opened.checkWindow();
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedOperationException(
          "Interrupted before the commit was sent; nothing was written", null);
    }
    return client.commit(commit, opening, this::nanosLeft);
  }

  @Override
  public CommitId.Fate settle(IdentifiedCommit commit) {
    return client.settle(commit, nanosLeft());
  }

  @Override
  protected KeyWatch newWatch(Key key, byte @Nullable [] seen) {
    return client.watches().create(key, seen, client.limits().watches());
  }

  @Override
  protected void activate(KeyWatch watch) {
    client.watches().activate(watch);
  }

  @Override
  protected void checkDatabaseOpen() {
    client.checkOpen();
  }
}
