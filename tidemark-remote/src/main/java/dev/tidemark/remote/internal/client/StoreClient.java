package dev.tidemark.remote.internal.client;

import com.google.protobuf.ByteString;
import dev.tidemark.grpc.Address;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.backup.BackupTarget;
import dev.tidemark.kv.spi.IdentifiedCommit;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.kv.spi.commit.CommitId;
import dev.tidemark.remote.RemoteDatabase;
import dev.tidemark.remote.RemoteOptions;
import dev.tidemark.remote.internal.transport.TimerStep;
import dev.tidemark.remote.internal.transport.Wire;
import dev.tidemark.remote.internal.wire.EstimateSize;
import dev.tidemark.remote.internal.wire.FindSplitPoints;
import dev.tidemark.remote.internal.wire.Hello;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.remote.internal.wire.SettleCommit;
import dev.tidemark.remote.internal.wire.Time;
import dev.tidemark.remote.internal.wire.TimeOfVersion;
import dev.tidemark.remote.internal.wire.VersionAtTime;
import dev.tidemark.remote.internal.wire.Welcome;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One client of a served database: its requests, commits and watches. */
public final class StoreClient implements AutoCloseable {
  /** Ticks of the timer in one request timeout. */
  private static final int TICKS = 8;

  /** The part of the read window in which a version counts as recent. */
  private static final int RECENT_PART = 5;

  /** Identifies this client at the server, across sessions. */
  private final byte[] self = Wire.bytes(UUID.randomUUID());

  private final RemoteOptions options;
  private final ServerTime time;
  private final ServerLine line;
  private final AtomicLong ids = new AtomicLong();
  private final AtomicReference<Seen> latestSeen = new AtomicReference<>(Seen.NOTHING);
  private final AtomicInteger tick = new AtomicInteger();
  private final ClientWatches watches = new ClientWatches(this::nextId, this::sendIfConnected);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition commitEnded = lock.newCondition();

  private final AtomicBoolean asksForTime = new AtomicBoolean();

  /** Commits under way. */
  private final AtomicInteger commits = new AtomicInteger();

  private final CommitsInDoubt inDoubt = new CommitsInDoubt();

  /**
   * The latest version that a server has sent.
   *
   * @param version the version; -1 for none
   * @param nanos when it came
   * @param opening the opening of the store that has it
   */
  record Seen(long version, long nanos, ByteString opening) {
    static final Seen NOTHING = new Seen(-1, 0, ByteString.EMPTY);
  }

  private StoreClient(Address address, RemoteOptions options) {
    this.options = options;
    this.time = new ServerTime(options.time());
    this.line =
        new ServerLine(address, options, time, this::newHello, this::connected, watches::ended);
  }

  /** Connects to the server at {@code address}. */
  public static StoreClient connect(URI address, RemoteOptions options) {
    return connect(Address.parse(address, RemoteDatabase.DEFAULT_PORT), options);
  }

  /** Connects to the server at {@code address}. */
  public static StoreClient connect(String address, RemoteOptions options) {
    return connect(Address.parse(address, RemoteDatabase.DEFAULT_PORT), options);
  }

  private static StoreClient connect(Address address, RemoteOptions options) {
    StoreClient client = new StoreClient(address, options);
    try {
      client.line.dial();
    } catch (RuntimeException failure) {
      client.close();
      throw failure;
    }
    Thread.startVirtualThread(client::keepTime);
    return client;
  }

  private void connected() {
    watches.askForAll();
  }

  private Call newHello() {
    return newCall(
        Request.newBuilder()
            .setHello(Hello.newBuilder().setProtocol(Wire.PROTOCOL).setClient(Wire.bytes(self))));
  }

  /** The connection; waits for a new one, at most {@code nanos}, where it is lost. */
  Connection connection(long nanos) {
    return line.connection(nanos);
  }

  /**
   * Ends requests that were not answered in time, and sends requests that no later one carried
   * along.
   */
  private void keepTime() {
    long tickNanos = options.requestTimeout().toNanos() / TICKS;
    while (!line.awaitClosed(tickNanos)) {
      TimerStep.take(() -> line.expire(tick.incrementAndGet() - TICKS));
      TimerStep.take(this::askForTimeIfStale);
    }
  }

  private void askForTimeIfStale() {
    if (time.isStale() && asksForTime.compareAndSet(false, true)) {
      Thread.startVirtualThread(this::askForTime);
    }
  }

  /** Greets again; this changes nothing, and the reply carries the store's time. */
  private void askForTime() {
    try {
      Connection open = line.openConnection();
      if (open != null) {
        long began = options.time().nanos();
        Call hello = newHello();
        open.send(hello);
        Welcome welcome = hello.awaitReply(Long.MAX_VALUE).getWelcome();
        time.learn(welcome.getClockMicros(), began);
      }
    } catch (DatabaseException unanswered) {
      // The next tick asks again; until then the own steady clock carries on.
    } finally {
      asksForTime.set(false);
    }
  }

  // ---- requests

  long nextId() {
    return ids.incrementAndGet();
  }

  Call newCall(Request.Builder request) {
    long id = nextId();
    return newCall(id, RequestFields.of(request.setId(id).build()));
  }

  /** A call with an id that was taken from {@link #nextId}. */
  Call newCall(long id, byte[] request) {
    return new Call(id, request, tick.get());
  }

  /** A call whose rows come in parts. */
  Call newScan(long id, byte[] request) {
    return new Call(id, request, tick.get(), new RowParts());
  }

  private Reply ask(Request.Builder request) {
    checkOpen();
    Call call = newCall(request);
    connection(Long.MAX_VALUE).send(call);
    return call.awaitReply(Long.MAX_VALUE);
  }

  /** Sends a request about watches; without a connection it follows when there is one. */
  private void sendIfConnected(Request request) {
    Connection open = line.openConnection();
    if (open != null) {
      open.enqueue(new Outgoing.Note(RequestFields.of(request)));
      open.flush();
    }
  }

  /**
   * Sends a commit whose reads, if any, were made in {@code opening} of a store; all waits together
   * take at most {@code nanosLeft}.
   */
  Commit.Position commit(Commit commit, ByteString opening, LongSupplier nanosLeft) {
    beginCommit();
    try {
      Connection open = connection(nanosLeft.getAsLong());
      if (commit.hasReads()) {
        checkSame(opening, open.opening());
      }
      long nanos = nanosLeft.getAsLong();
      if (nanos <= 0) {
        throw Call.timedOutUnsent();
      }
      long id = nextId();
      Call call = newCall(id, RequestFields.commit(id, CommitEncoding.encode(commit, nanos)));
      if (call.size() > open.frameBytes()) {
        throw LimitExceededException.transaction(call.size(), open.frameBytes());
      }
      open.send(call);
      Commit.Position position = awaitCommit(call, commit.id(), open.store(), nanosLeft);
      sawVersion(position.version(), open);
      return position;
    } catch (TransactionTooOldException tooOld) {
      // A server that was started again knows no version before that, however recent it is. The
      // next attempt asks for one.
      latestSeen.set(Seen.NOTHING);
      throw tooOld;
    } finally {
      endCommit();
    }
  }

  private Commit.Position awaitCommit(
      Call call, @Nullable CommitId id, ByteString store, LongSupplier nanosLeft) {
    try {
      return call.awaitCommit(nanosLeft);
    } catch (DatabaseException failure) {
      if (id != null && failure.maybeCommitted()) {
        inDoubt.add(id, store);
      }
      throw failure;
    }
  }

  /** Throws if reads of one opening of a store would be used in another. */
  static void checkSame(ByteString read, ByteString used) {
    if (!read.equals(used)) {
      throw new TransactionTooOldException(
          "The store that the transaction read was opened again, or another one took its place."
              + " What it has read may not be so any more; begin a new one");
    }
  }

  /**
   * The outcome of a commit whose result is unknown; waits at most {@code nanos} for each step. A
   * store that it was not sent to knows nothing of it.
   */
  CommitId.Fate settle(IdentifiedCommit commit, long nanos) {
    checkOpen();
    Connection open = connection(nanos);
    CommitId.Fate fate =
        inDoubt.isOfAnother(commit.id(), open.store())
            ? CommitId.Fate.UNKNOWN
            : ask(open, commit, nanos);
    inDoubt.settled(commit.id());
    return fate;
  }

  private CommitId.Fate ask(Connection open, IdentifiedCommit commit, long nanos) {
    SettleCommit settle =
        SettleCommit.newBuilder()
            .setId(Wire.bytes(Wire.bytes(commit.id())))
            .setVersion(commit.version())
            .build();
    Call call = newCall(Request.newBuilder().setSettleCommit(settle));
    open.send(call);
    return switch (call.awaitReply(nanos).getSettled().getFate()) {
      case COMMITTED -> CommitId.Fate.COMMITTED;
      case NOT_COMMITTED -> CommitId.Fate.NOT_COMMITTED;
      case UNKNOWN, UNRECOGNIZED -> CommitId.Fate.UNKNOWN;
    };
  }

  /** Remembers {@code version}, which was committed by the server behind {@code from}. */
  void sawVersion(long version, Connection from) {
    Seen before = latestSeen.get();
    boolean same = before.opening().equals(from.opening());
    if (version > before.version() || !same) {
      latestSeen.compareAndSet(before, new Seen(version, options.time().nanos(), from.opening()));
    }
  }

  /** A version that the server sent recently, of the store that is there now. */
  Seen recentVersion() {
    Seen seen = latestSeen.get();
    long age = options.time().nanos() - seen.nanos();
    boolean recent = age <= limits().readWindow().toNanos() / RECENT_PART;
    return recent && seen.opening().equals(opening()) ? seen : Seen.NOTHING;
  }

  /** The opening of the store that the client was connected to last. */
  ByteString opening() {
    return line.opening();
  }

  private void beginCommit() {
    // First, so that a close either refuses it or waits for it.
    commits.incrementAndGet();
    try {
      checkOpen();
    } catch (RuntimeException closed) {
      endCommit();
      throw closed;
    }
  }

  private void endCommit() {
    if (commits.decrementAndGet() == 0 && line.isClosed()) {
      lock.lock();
      try {
        commitEnded.signalAll();
      } finally {
        lock.unlock();
      }
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
    List<Key> points = new ArrayList<>();
    List<Key> some = firstSplitPoints(range, pieceBytes);
    points.addAll(some);
    while (some.size() > 1 && some.getLast().compareTo(range.end()) < 0) {
      some = firstSplitPoints(KeyRange.of(some.getLast(), range.end()), pieceBytes);
      points.addAll(some.subList(Math.min(1, some.size()), some.size()));
    }
    return List.copyOf(points);
  }

  /** As many as fit in a reply, from the begin of the range on. */
  private List<Key> firstSplitPoints(KeyRange range, long pieceBytes) {
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

  /** Makes the server send the files of the store to {@code target}. */
  public void backup(BackupTarget target) {
    checkOpen();
    BackupDownload.into(target, line.channel(), options.requestTimeout());
  }

  ClientWatches watches() {
    return watches;
  }

  /** The limits of the served database. */
  public Limits limits() {
    return line.limits();
  }

  /** The store's wall clock, and this machine's steady one. */
  public TimeSource time() {
    return time;
  }

  /** How this client works. */
  public RemoteOptions options() {
    return options;
  }

  // ---- the end

  void checkOpen() {
    line.checkOpen();
  }

  /** Waits for commits that were sent, at most the request timeout, and ends the connection. */
  @Override
  public void close() {
    line.refuse();
    awaitCommits();
    watches.close();
    line.close();
  }

  private void awaitCommits() {
    long left = options.requestTimeout().toNanos();
    lock.lock();
    try {
      while (commits.get() > 0 && left > 0) {
        left = commitEnded.awaitNanos(left);
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }
}
