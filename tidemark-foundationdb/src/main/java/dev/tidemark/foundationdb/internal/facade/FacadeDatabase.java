package dev.tidemark.foundationdb.internal.facade;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.DatabaseOptions;
import com.apple.foundationdb.EventKeeper;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeyRangeArrayResult;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Tenant;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Tuple;
import dev.tidemark.foundationdb.internal.FdbErrors;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One of our databases behind fdb-java's interface. */
public final class FacadeDatabase implements Database {
  private static final int MAX_WATCHES = 20;

  private final dev.tidemark.kv.Database store;
  private final Executor executor;
  private final boolean answersApart;
  private final AtomicInteger openWatches = new AtomicInteger();
  private volatile int watchesMax = Integer.MAX_VALUE;
  private volatile TransactionSettings settings = TransactionSettings.DEFAULTS;
  private volatile boolean closed;

  private FacadeDatabase(dev.tidemark.kv.Database store, Executor executor, boolean answersApart) {
    this.store = store;
    this.executor = executor;
    this.answersApart = answersApart;
  }

  /** {@code store}, with callbacks in virtual threads. */
  public static FacadeDatabase of(dev.tidemark.kv.Database store) {
    return new FacadeDatabase(store, Futures.VIRTUAL_THREADS, false);
  }

  /** The same, with the futures of reads completed in the executor too. */
  public static FacadeDatabase answeringApart(dev.tidemark.kv.Database store) {
    return new FacadeDatabase(store, Futures.VIRTUAL_THREADS, true);
  }

  /** {@code store}, with callbacks in {@code executor} where a call names no other. */
  public static FacadeDatabase of(dev.tidemark.kv.Database store, Executor executor) {
    return new FacadeDatabase(store, executor, false);
  }

  boolean answersApart() {
    return answersApart;
  }

  /** A watch that {@code begin} begins, if there are not too many. */
  CompletableFuture<Void> watched(Supplier<CompletableFuture<Void>> begin) {
    if (openWatches.incrementAndGet() > watchesMax) {
      openWatches.decrementAndGet();
      throw new FDBException(
          "%,d watches are open, which is the limit (DatabaseOptions.setMaxWatches)"
              .formatted(watchesMax),
          FdbErrors.TOO_MANY_WATCHES);
    }
    CompletableFuture<Void> watch;
    try {
      watch = begin.get();
    } catch (RuntimeException refused) {
      openWatches.decrementAndGet();
      throw refused;
    }
    var unused = watch.whenComplete((changed, failure) -> openWatches.decrementAndGet());
    return watch;
  }

  dev.tidemark.kv.Database store() {
    return store;
  }

  TransactionSettings settings() {
    return settings;
  }

  FacadeTransaction begin(Executor callbacks, TransactionSettings options, Attempts attempts) {
    if (closed) {
      throw new FDBException(
          "This view of the database is closed; open another one",
          FdbErrors.CLIENT_INVALID_OPERATION);
    }
    return new FacadeTransaction(this, callbacks, options, attempts);
  }

  private FacadeTransaction begin(Executor callbacks) {
    return begin(callbacks, settings, Attempts.first(store.time()));
  }

  @Override
  public Transaction createTransaction(Executor callbacks) {
    return begin(callbacks);
  }

  /** There are no native calls and no buffers to count, so the keeper is not called. */
  @Override
  public Transaction createTransaction(Executor callbacks, EventKeeper eventKeeper) {
    return begin(callbacks);
  }

  @Override
  public Executor getExecutor() {
    return executor;
  }

  @Override
  public DatabaseOptions options() {
    return new DatabaseOptions(this::setOption);
  }

  private void setOption(int code, byte @Nullable [] value) {
    if (code == MAX_WATCHES) {
      watchesMax = (int) TransactionSettings.number(code, value);
    } else {
      settings = settings.withDatabaseOption(code, value);
    }
  }

  @Override
  public void close() {
    closed = true;
  }

  // ---- retry loops

  @Override
  public <T> T run(Function<? super Transaction, T> body, Executor callbacks) {
    FacadeTransaction tx = begin(callbacks);
    try {
      while (true) {
        try {
          T result = body.apply(tx);
          tx.commitNow();
          return result;
        } catch (RuntimeException failure) {
          tx = tx.retry(failure);
        }
      }
    } finally {
      tx.close();
    }
  }

  @Override
  public <T> CompletableFuture<T> runAsync(
      Function<? super Transaction, ? extends CompletableFuture<T>> body, Executor callbacks) {
    CompletableFuture<T> result = new CompletableFuture<>();
    attempt(begin(callbacks), body, result);
    return result;
  }

  private static <T> void attempt(
      Transaction tx,
      Function<? super Transaction, ? extends CompletableFuture<T>> body,
      CompletableFuture<T> result) {
    var unused =
        Futures.started(tx, body)
            .thenCompose(value -> tx.commit().thenApply(done -> value))
            .whenComplete(
                (value, failure) -> {
                  if (failure == null) {
                    tx.close();
                    result.complete(value);
                  } else {
                    attemptAgain(tx, failure, body, result);
                  }
                });
  }

  /** The next attempt is always made in the executor, also if its transaction is there at once. */
  private static <T> void attemptAgain(
      Transaction tx,
      Throwable failure,
      Function<? super Transaction, ? extends CompletableFuture<T>> body,
      CompletableFuture<T> result) {
    var unused =
        tx.onError(failure)
            .whenCompleteAsync(
                (next, end) -> {
                  if (end == null) {
                    attempt(next, body, result);
                  } else {
                    tx.close();
                    result.completeExceptionally(FdbErrors.unwrap(end));
                  }
                },
                tx.getExecutor());
  }

  @Override
  public <T> T read(Function<? super ReadTransaction, T> body, Executor callbacks) {
    return run(body, callbacks);
  }

  @Override
  public <T> CompletableFuture<T> readAsync(
      Function<? super ReadTransaction, ? extends CompletableFuture<T>> body, Executor callbacks) {
    return runAsync(body, callbacks);
  }

  // ---- what only a cluster has

  @Override
  public double getMainThreadBusyness() {
    return 0;
  }

  @Override
  public CompletableFuture<byte[]> getClientStatus(Executor callbacks) {
    return notOffered("Reports about a cluster's client");
  }

  private static FDBException noTenants() {
    return new FDBException(
        "A Tidemark store has no tenants; give each one a directory or a subspace",
        FdbErrors.TENANTS_DISABLED);
  }

  private static <T> CompletableFuture<T> notOffered(String what) {
    return CompletableFuture.failedFuture(FdbErrors.notOffered(what));
  }

  private static <T> CompletableFuture<T> noBlobGranules() {
    return notOffered("Blob granules");
  }

  @Override
  public Tenant openTenant(Tuple tenantName) {
    throw noTenants();
  }

  @Override
  public Tenant openTenant(byte[] tenantName, Executor callbacks) {
    throw noTenants();
  }

  @Override
  public Tenant openTenant(Tuple tenantName, Executor callbacks) {
    throw noTenants();
  }

  @Override
  public Tenant openTenant(byte[] tenantName, Executor callbacks, EventKeeper eventKeeper) {
    throw noTenants();
  }

  @Override
  public Tenant openTenant(Tuple tenantName, Executor callbacks, EventKeeper eventKeeper) {
    throw noTenants();
  }

  @Override
  public CompletableFuture<byte[]> purgeBlobGranules(
      byte[] begin, byte[] end, long purgeVersion, boolean force, Executor callbacks) {
    return noBlobGranules();
  }

  @Override
  public CompletableFuture<Void> waitPurgeGranulesComplete(byte[] purgeKey, Executor callbacks) {
    return noBlobGranules();
  }

  @Override
  public CompletableFuture<Boolean> blobbifyRange(byte[] begin, byte[] end, Executor callbacks) {
    return noBlobGranules();
  }

  @Override
  public CompletableFuture<Boolean> blobbifyRangeBlocking(
      byte[] begin, byte[] end, Executor callbacks) {
    return noBlobGranules();
  }

  @Override
  public CompletableFuture<Boolean> unblobbifyRange(byte[] begin, byte[] end, Executor callbacks) {
    return noBlobGranules();
  }

  @Override
  public CompletableFuture<KeyRangeArrayResult> listBlobbifiedRanges(
      byte[] begin, byte[] end, int rangeLimit, Executor callbacks) {
    return noBlobGranules();
  }

  @Override
  public CompletableFuture<Long> verifyBlobRange(
      byte[] begin, byte[] end, long version, Executor callbacks) {
    return noBlobGranules();
  }

  @Override
  public CompletableFuture<Boolean> flushBlobRange(
      byte[] begin, byte[] end, boolean compact, long version, Executor callbacks) {
    return noBlobGranules();
  }
}
