package dev.tidemark.testkit.faults;

import dev.tidemark.kv.CommitUnknownException;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import dev.tidemark.testkit.decorate.ForwardingTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A database whose commits go wrong as a {@link FaultPlan} says; everything else is that of the
 * database it decorates, which it closes. Commits that write nothing neither count nor go wrong: on
 * every engine they end without the store.
 *
 * <p>It answers true to {@link #commitCanBeUnknown}, so that {@link #transact} uses idempotency
 * ids, as it would over a network.
 */
public final class FaultyDatabase extends ForwardingDatabase {
  private static final Duration DELAY = Duration.ofMillis(2);
  private static final int LATEST_ARRIVAL = 3;

  private final FaultPlan plan;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final Map<Fault, Integer> injected = new EnumMap<>(Fault.class);
  private final List<OnItsWay> onTheirWay = new ArrayList<>();
  private long commits;

  private record OnItsWay(Transaction transaction, long arrivesAt) {}

  private record Numbered(long number, Optional<Fault> fault) {}

  private FaultyDatabase(Database delegate, FaultPlan plan) {
    super(delegate);
    this.plan = plan;
  }

  /** Makes commits of {@code database} go wrong. */
  public static FaultyDatabase over(Database database, FaultPlan plan) {
    return new FaultyDatabase(database, plan);
  }

  /** How often {@code fault} has happened. */
  public int injected(Fault fault) {
    lock.lock();
    try {
      return injected.getOrDefault(fault, 0);
    } finally {
      lock.unlock();
    }
  }

  /** How often something was committed, or was to be. */
  public long commits() {
    lock.lock();
    try {
      return commits;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean commitCanBeUnknown() {
    return true;
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    return new FaultyTransaction(delegate.begin(options));
  }

  @Override
  public void close() {
    takeArrivals(Long.MAX_VALUE).forEach(Transaction::close);
    delegate.close();
  }

  private Numbered nextCommit() {
    lock.lock();
    try {
      long number = ++commits;
      Optional<Fault> fault = plan.at(number);
      fault.ifPresent(kind -> injected.merge(kind, 1, Integer::sum));
      return new Numbered(number, fault);
    } finally {
      lock.unlock();
    }
  }

  private void send(Transaction transaction, long number) {
    lock.lock();
    try {
      onTheirWay.add(new OnItsWay(transaction, number + 1 + number % LATEST_ARRIVAL));
    } finally {
      lock.unlock();
    }
  }

  private List<Transaction> takeArrivals(long number) {
    lock.lock();
    try {
      List<Transaction> due =
          onTheirWay.stream()
              .filter(each -> each.arrivesAt() <= number)
              .map(OnItsWay::transaction)
              .toList();
      onTheirWay.removeIf(each -> each.arrivesAt() <= number);
      return due;
    } finally {
      lock.unlock();
    }
  }

  /** Carries out a commit whose caller was told long ago that its result is unknown. */
  private static void arrive(Transaction late) {
    try (late) {
      late.commit();
    } catch (ConflictException | TransactionTooOldException refused) {
      // No caller waits for the outcome of such a commit.
    }
  }

  private final class FaultyTransaction extends ForwardingTransaction {
    private volatile boolean onItsWay;

    FaultyTransaction(Transaction delegate) {
      super(delegate);
    }

    @Override
    public void commit() {
      prepareCommit();
      if (!delegate.hasWrites()) {
        delegate.commit();
        return;
      }
      Numbered commit = nextCommit();
      takeArrivals(commit.number()).forEach(FaultyDatabase::arrive);
      if (commit.fault().isEmpty()) {
        delegate.commit();
        return;
      }
      String place = "Injected at commit " + commit.number();
      switch (commit.fault().get()) {
        case CONFLICT -> {
          delegate.cancel();
          throw new ConflictException(place);
        }
        case TOO_OLD -> {
          delegate.cancel();
          throw new TransactionTooOldException(place);
        }
        case UNKNOWN_COMMITTED -> {
          commitUnheard();
          throw new CommitUnknownException(place, null);
        }
        case UNKNOWN_NOT_COMMITTED -> {
          delegate.cancel();
          throw new CommitUnknownException(place, null);
        }
        case UNKNOWN_ON_ITS_WAY -> {
          onItsWay = true;
          send(delegate, commit.number());
          throw new CommitUnknownException(place, null);
        }
        case DELAY -> {
          pause();
          delegate.commit();
        }
      }
    }

    /** Commits, or is refused; the caller does not learn which. */
    private void commitUnheard() {
      try {
        delegate.commit();
      } catch (ConflictException | TransactionTooOldException refused) {
        throw new CommitUnknownException("Injected over a refusal", refused);
      }
    }

    private void pause() {
      try {
        time().sleep(DELAY);
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        throw new InterruptedOperationException("Interrupted in an injected delay", interrupt);
      }
    }

    @Override
    public void cancel() {
      if (!onItsWay) {
        delegate.cancel();
      }
    }

    @Override
    public void close() {
      if (!onItsWay) {
        delegate.close();
      }
    }
  }
}
