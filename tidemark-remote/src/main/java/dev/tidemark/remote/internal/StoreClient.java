package dev.tidemark.remote.internal;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.internal.Commit;
import dev.tidemark.remote.RemoteOptions;
import dev.tidemark.remote.internal.wire.Committed;
import dev.tidemark.remote.internal.wire.EstimateSize;
import dev.tidemark.remote.internal.wire.FindSplitPoints;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.remote.internal.wire.Time;
import dev.tidemark.remote.internal.wire.TimeOfVersion;
import dev.tidemark.remote.internal.wire.VersionAtTime;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One client of a served database: its connection, and the next one when that is lost. */
public final class StoreClient implements Connection.Listener, AutoCloseable {
  /** Ticks of the timer in one request timeout. */
  private static final int TICKS = 8;

  /** A version is recent for this part of the time for which it can be read. */
  private static final int RECENT_PART = 5;

  private final Address address;
  private final RemoteOptions options;
  private final Dialer dialer;
  private final AtomicLong ids = new AtomicLong();
  private final AtomicReference<Seen> latestSeen = new AtomicReference<>(new Seen(-1, 0));
  private final AtomicInteger tick = new AtomicInteger();
  private final ClientWatches watches = new ClientWatches(this::nextId, this::sendIfConnected);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Written under lock.
  private volatile @Nullable Connection current;
  private volatile Limits limits = Limits.DEFAULTS;
  private volatile boolean closed;
  private boolean dialing;
  private int commits;
  private volatile @Nullable DatabaseException lastFailure;

  /** The latest version that the server told, and when. */
  private record Seen(long version, long nanos) {}

  private StoreClient(Address address, RemoteOptions options) {
    this.address = address;
    this.options = options;
    this.dialer = new Dialer(address, options);
  }

  /** Connects to the server at {@code address}. */
  public static StoreClient connect(URI address, RemoteOptions options) {
    StoreClient client = new StoreClient(Address.parse(address), options);
    try {
      client.dial();
    } catch (RuntimeException failure) {
      client.close();
      throw failure;
    }
    Thread.startVirtualThread(client::keepTime);
    return client;
  }

  // ---- the connection

  private void dial() {
    Dialer.Greeted greeted = dialer.dial(newHello(), this);
    lock.lock();
    try {
      if (closed) {
        greeted.connection().close(whyClosed());
        throw TransactionClosedException.databaseClosed(whyClosed());
      }
      limits = Connection.limits(greeted.welcome());
      current = greeted.connection();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (!greeted.connection().isOpen()) {
      left(greeted.connection()); // It was lost before it was the current one.
    }
    watches.all().forEach(this::sendIfConnected);
  }

  private Call newHello() {
    return newCall(Request.newBuilder().setHello(Dialer.HELLO));
  }

  /** The connection; waits for a new one, at most the request timeout, where it is lost. */
  Connection connection() {
    Connection open = current;
    return open != null && open.isOpen() ? open : nextConnection();
  }

  private Connection nextConnection() {
    long left = options.requestTimeout().toNanos();
    lock.lock();
    try {
      while (true) {
        checkOpen();
        Connection open = current;
        if (open != null && open.isOpen()) {
          return open;
        }
        if (left <= 0) {
          throw new UnavailableException(
              Failures.PROCESS_BEHIND,
              "No connection to %s for %s; nothing was sent"
                  .formatted(address, options.requestTimeout()),
              lastFailure);
        }
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException(
          "Interrupted while waiting for a connection to " + address, interrupt);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void left(Connection connection) {
    lock.lock();
    try {
      if (connection == current && !dialing && !closed) {
        dialing = true;
        Thread.startVirtualThread(this::redial);
      }
    } finally {
      lock.unlock();
    }
  }

  private void redial() {
    for (int failures = 0; !closed; failures++) {
      try {
        dialer.pause(failures);
        dial();
        break;
      } catch (DatabaseException failure) {
        lastFailure = failure;
      } catch (InterruptedException interrupt) {
        break; // Nobody interrupts this thread; should somebody, the next request dials again.
      }
    }
    lock.lock();
    try {
      dialing = false;
      Connection open = current;
      if (open != null && !open.isOpen()) {
        left(open);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends requests that no server answered in time, and sends what no later request took along. */
  private void keepTime() {
    long tickNanos = options.requestTimeout().toNanos() / TICKS;
    while (!closed && !awaitClosed(tickNanos)) {
      int now = tick.incrementAndGet();
      Connection open = current;
      if (open != null) {
        open.expire(now - TICKS, options.requestTimeout());
      }
    }
  }

  private boolean awaitClosed(long nanos) {
    lock.lock();
    try {
      long left = nanos;
      while (!closed && left > 0) {
        left = changed.awaitNanos(left);
      }
      return closed;
    } catch (InterruptedException interrupt) {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  // ---- requests

  long nextId() {
    return ids.incrementAndGet();
  }

  Call newCall(Request.Builder request) {
    return new Call(request.setId(nextId()).build(), tick.get());
  }

  Call newCallWithoutReply(Request.Builder request) {
    return new Call(request.build(), tick.get());
  }

  private Reply ask(Request.Builder request) {
    checkOpen();
    Call call = newCall(request);
    connection().send(call);
    return call.await(Long.MAX_VALUE);
  }

  /** Sends a request about watches; without a connection it follows when there is one. */
  private void sendIfConnected(Request request) {
    Connection open = current;
    if (open != null && open.isOpen()) {
      open.sendWithoutCall(new Call(request, tick.get()));
    }
  }

  Commit.Position commit(Commit commit, long nanos) {
    beginCommit();
    try {
      Connection open = connection();
      Call call =
          newCall(Request.newBuilder().setCommitWrites(CommitEncoding.encode(commit, nanos)));
      if (call.size() > open.frameBytes()) {
        throw LimitExceededException.transaction(call.size(), open.frameBytes());
      }
      open.send(call);
      Committed committed = call.awaitCommit(nanos).getCommitted();
      sawVersion(committed.getVersion());
      return new Commit.Position(committed.getVersion(), committed.getBatch());
    } finally {
      endCommit();
    }
  }

  /** Remembers that {@code version} has been committed. */
  void sawVersion(long version) {
    Seen before = latestSeen.get();
    if (version > before.version()) {
      latestSeen.compareAndSet(before, new Seen(version, options.time().nanos()));
    }
  }

  /** A version that the server told not long ago; -1 without one. */
  long recentVersion() {
    Seen seen = latestSeen.get();
    long age = options.time().nanos() - seen.nanos();
    return age <= limits.readWindow().toNanos() / RECENT_PART ? seen.version() : -1;
  }

  private void beginCommit() {
    lock.lock();
    try {
      checkOpen();
      commits++;
    } finally {
      lock.unlock();
    }
  }

  private void endCommit() {
    lock.lock();
    try {
      commits--;
      if (closed) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Opens a transaction. */
  public Transaction begin(TransactionOptions transactionOptions) {
    checkOpen();
    return new RemoteTransaction(this, transactionOptions);
  }

  /** Roughly how many bytes the keys and values of {@code range} take. */
  public long estimatedSize(KeyRange range) {
    EstimateSize estimate = EstimateSize.newBuilder().setRange(Wire.range(range)).build();
    return ask(Request.newBuilder().setEstimateSize(estimate)).getSize();
  }

  /** Keys that cut {@code range} into pieces of roughly {@code pieceBytes}. */
  public List<Key> splitPoints(KeyRange range, long pieceBytes) {
    FindSplitPoints find =
        FindSplitPoints.newBuilder().setRange(Wire.range(range)).setPieceBytes(pieceBytes).build();
    Reply reply = ask(Request.newBuilder().setFindSplitPoints(find));
    return Wire.keys(reply.getKeys().getKeysList());
  }

  /** When {@code version} was committed. */
  public Instant timeOf(long version) {
    TimeOfVersion of = TimeOfVersion.newBuilder().setVersion(version).build();
    Time time = ask(Request.newBuilder().setTimeOfVersion(of)).getTime();
    return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
  }

  /** The largest version that was not committed after {@code instant}. */
  public long versionAt(Instant instant) {
    Time time =
        Time.newBuilder().setSeconds(instant.getEpochSecond()).setNanos(instant.getNano()).build();
    VersionAtTime at = VersionAtTime.newBuilder().setTime(time).build();
    return ask(Request.newBuilder().setVersionAtTime(at)).getVersion();
  }

  @Override
  public void watchEnded(Reply reply) {
    watches.ended(reply);
  }

  ClientWatches watches() {
    return watches;
  }

  /** The limits of the served database. */
  public Limits limits() {
    return limits;
  }

  /** How this client works. */
  public RemoteOptions options() {
    return options;
  }

  // ---- the end

  void checkOpen() {
    if (closed) {
      throw TransactionClosedException.databaseClosed(whyClosed());
    }
  }

  private String whyClosed() {
    return "The connection to the database at " + address + " is closed";
  }

  /** Waits for commits that were sent, at most the request timeout, and ends the connection. */
  @Override
  public void close() {
    Connection last;
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      awaitCommits();
      last = current;
    } finally {
      lock.unlock();
    }
    watches.close();
    if (last != null) {
      last.close(whyClosed());
    }
    dialer.close();
  }

  private void awaitCommits() {
    long left = options.requestTimeout().toNanos();
    boolean interrupted = false;
    while (commits > 0 && left > 0) {
      try {
        left = changed.awaitNanos(left);
      } catch (InterruptedException interrupt) {
        interrupted = true;
        left = Duration.ZERO.toNanos();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
