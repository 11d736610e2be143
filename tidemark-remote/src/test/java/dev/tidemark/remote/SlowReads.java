package dev.tidemark.remote;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.spi.BaseReads;
import dev.tidemark.kv.spi.IdentifiedCommit;
import dev.tidemark.kv.spi.KeyWatch;
import dev.tidemark.kv.spi.PromptTransaction;
import dev.tidemark.kv.spi.StoreIdentity;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.kv.spi.commit.CommitId;
import dev.tidemark.kv.spi.commit.CommitListener;
import dev.tidemark.kv.spi.scan.ScanPortion;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A database for reads alone, whose threads of the network are served as those of an embedded one.
 * The values of keys that begin with {@code hand} are at hand and empty; others are read by the
 * test, which may take its time.
 */
final class SlowReads extends ForwardingDatabase {
  private final TimeSource time;
  private final Function<Key, byte[]> disk;
  private final StoreIdentity identity = new StoreIdentity(UUID.randomUUID(), UUID.randomUUID());

  SlowReads(Database delegate, TimeSource time, Function<Key, byte[]> disk) {
    super(delegate);
    this.time = time;
    this.disk = disk;
  }

  @Override
  public TimeSource time() {
    return time;
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    return new Reading(options);
  }

  private final class Reading extends PromptTransaction {
    Reading(TransactionOptions options) {
      super(options, limits(), TimeSource.system());
    }

    @Override
    protected BaseReads openBase() {
      return openBase(1);
    }

    @Override
    protected BaseReads openBase(long version) {
      return new Reads(version);
    }

    @Override
    public StoreIdentity identity() {
      return identity;
    }

    @Override
    public CommitId.Fate settle(IdentifiedCommit commit) {
      throw new AssertionError("Nothing is written");
    }

    @Override
    protected Runnable commitLater(Commit commit, CommitListener listener) {
      throw new AssertionError("Nothing is written");
    }

    @Override
    protected Commit.Position commit(Commit commit) {
      throw new AssertionError("Nothing is written");
    }

    @Override
    protected KeyWatch newWatch(Key key, byte @Nullable [] seen) {
      throw new AssertionError("Nothing is watched");
    }

    @Override
    protected void activate(KeyWatch watch) {
      throw new AssertionError("Nothing is watched");
    }

    @Override
    protected void checkDatabaseOpen() {}
  }

  private final class Reads implements BaseReads {
    private final long version;

    Reads(long version) {
      this.version = version;
    }

    @Override
    public long version() {
      return version;
    }

    @Override
    public byte[] get(Key key) {
      return disk.apply(key);
    }

    @Override
    public @Nullable AtHand getAtHand(Key key) {
      String text = new String(key.toByteArray(), StandardCharsets.UTF_8);
      return text.startsWith("hand") ? new AtHand(new byte[0]) : null;
    }

    @Override
    public Map<Key, byte[]> getAll(Collection<Key> keys) {
      throw new AssertionError("One key is read at a time");
    }

    @Override
    public ScanPortion scan(Key begin, Key end, int rows, int bytes, boolean reverse) {
      return new ScanPortion(List.of(), false);
    }

    @Override
    public void close() {}
  }
}
