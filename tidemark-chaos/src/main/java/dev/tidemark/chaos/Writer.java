package dev.tidemark.chaos;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One thread of a child. It counts its commits and goes on with the next number only when the one
 * before is known to be there.
 */
final class Writer implements Runnable {
  /** The greatest version that any writer of this process has seen committed. */
  private static final AtomicLong NEWEST = new AtomicLong();

  private static final int TRANSFERS_IN_TEN = 7;
  private static final int SETS_IN_TEN = 3;

  /** More conflicts in a row than chance explains: nothing gets through any more. */
  private static final int CONFLICTS_MAX = 10_000;

  private final Child child;
  private final EmbeddedDatabase database;
  private final int number;
  private final int padding;
  private final SplittableRandom random;
  private long told;
  private @Nullable StorageException failure;

  /**
   * A writer that goes on after the number {@code told}, or after the last stored if that is -1.
   */
  Writer(Child child, EmbeddedDatabase database, int number, long told, Child.Order order) {
    this.child = child;
    this.database = database;
    this.number = number;
    this.told = told;
    this.padding = order.padding();
    this.random = new SplittableRandom(order.seed() * 31 + number);
  }

  /** The last number that the parent knows of. To be asked after the writer's end. */
  long told() {
    return told;
  }

  /** The failure of the medium that stopped the writer, if one did. To be asked after its end. */
  Optional<StorageException> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public void run() {
    try {
      if (told < 0) {
        told = lastSequence();
      }
      while (true) {
        Versionstamp stamp = commit(told + 1);
        child.tell(new Message.Acknowledged(number, told + 1, stamp));
        told++;
      }
    } catch (StorageException stopped) {
      failure = stopped;
    } catch (RuntimeException unexpected) {
      child.tell(new Message.Complaint("Writer %d: %s".formatted(number, unexpected)));
    }
  }

  private long lastSequence() {
    return database.read(
        tx ->
            tx.scan(Layout.indexFrom(number, 0))
                .reverse()
                .first()
                .map(row -> Layout.sequence(row.key()))
                .orElse(0L));
  }

  private Versionstamp commit(long sequence) {
    boolean transfer = random.nextInt(10) < TRANSFERS_IN_TEN;
    Entry.Move move =
        new Entry.Move(
            random.nextInt(Layout.ACCOUNTS),
            random.nextInt(Layout.ACCOUNTS),
            random.nextLong(1, 50));
    Entry.Count count =
        new Entry.Count(
            random.nextInt(Layout.COUNTERS),
            random.nextInt(10) < SETS_IN_TEN,
            random.nextLong(1, 1_000_000));
    long newestBefore = NEWEST.get();
    for (int conflicts = 0; ; conflicts++) {
      try (Transaction tx = database.begin()) {
        long readVersion = tx.readVersion();
        checkRead(readVersion, newestBefore);
        Optional<byte[]> earlier = tx.get(Layout.index(number, sequence));
        if (earlier.isPresent()) {
          return Versionstamp.fromBytes(earlier.get());
        }
        write(tx, transfer ? transfer(tx, sequence, count, move) : append(sequence, count));
        tx.commit();
        checkCommit(tx, readVersion);
        return tx.versionstamp();
      } catch (ConflictException conflict) {
        if (conflicts == CONFLICTS_MAX) {
          throw conflict;
        }
      }
    }
  }

  private void write(Transaction tx, Entry entry) {
    tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, Layout.stampedLogKey(), entry.encode());
    Entry.Count count = entry.count();
    if (count.set()) {
      tx.set(Layout.counter(count.counter()), Layout.count(count.amount()));
    } else {
      tx.mutate(MutationType.ADD, Layout.counter(count.counter()), Layout.count(count.amount()));
    }
    Key index = Layout.index(number, entry.sequence());
    tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, index, Layout.stampedValue());
  }

  private Entry append(long sequence, Entry.Count count) {
    return new Entry.Append(number, sequence, count, padding);
  }

  private Entry transfer(Transaction tx, long sequence, Entry.Count count, Entry.Move move) {
    Key from = Layout.account(move.from());
    Key to = Layout.account(move.to());
    long fromBalance = Layout.balance(tx.get(from).orElseThrow()) - move.amount();
    tx.set(from, Layout.balance(fromBalance));
    long toBalance = Layout.balance(tx.get(to).orElseThrow()) + move.amount();
    tx.set(to, Layout.balance(toBalance));
    return new Entry.Transfer(number, sequence, count, padding, move, fromBalance, toBalance);
  }

  private void checkRead(long readVersion, long newestBefore) {
    if (readVersion < newestBefore) {
      child.tell(
          new Message.Complaint(
              "Writer %d reads version %d although version %d was acknowledged before"
                  .formatted(number, readVersion, newestBefore)));
    }
  }

  private void checkCommit(Transaction tx, long readVersion) {
    long version = tx.committedVersion();
    NEWEST.accumulateAndGet(version, Math::max);
    if (version != tx.versionstamp().version() || version <= readVersion) {
      child.tell(
          new Message.Complaint(
              "Writer %d: commit version %d, versionstamp %s and read version %d do not agree"
                  .formatted(number, version, tx.versionstamp(), readVersion)));
    }
  }
}
