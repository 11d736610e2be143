package dev.tidemark.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import dev.tidemark.kv.Key;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Reads, writes, commits and the ends of transactions. */
class FacadeTransactionTest extends FacadeCase {
  @Test
  void whatIsCommittedIsRead() {
    put("a=1");
    assertThat(stored("a")).isEqualTo(bytes("1"));
    assertThat(stored("b")).isNull();
  }

  @Test
  void readIsCompleteWhenItReturns() {
    put("a=1");
    try (Transaction tx = db.createTransaction()) {
      assertThat(tx.get(bytes("a"))).isCompleted();
      assertThat(tx.getReadVersion()).isCompleted();
      assertThat(tx.getRange(bytes("a"), bytes("b")).asList()).isCompleted();
    }
  }

  @Test
  void transactionSeesItsOwnWrites() {
    put("a=1");
    try (Transaction tx = db.createTransaction()) {
      tx.clear(bytes("a"));
      tx.set(bytes("b"), bytes("2"));
      assertThat(tx.get(bytes("a")).join()).isNull();
      assertThat(tx.snapshot().get(bytes("b")).join()).isEqualTo(bytes("2"));
    }
    assertThat(stored("a")).isEqualTo(bytes("1"));
  }

  @Test
  void snapshotReadsDoNotConflict() {
    put("a=1");
    try (Transaction tx = db.createTransaction()) {
      tx.snapshot().get(bytes("a")).join();
      tx.set(bytes("b"), bytes("2"));
      put("a=changed");
      tx.commit().join();
    }
    assertThat(stored("b")).isEqualTo(bytes("2"));
  }

  @Test
  void conflictIsReportedWithItsCode() {
    put("a=1");
    try (Transaction tx = db.createTransaction()) {
      tx.get(bytes("a")).join();
      tx.set(bytes("b"), bytes("2"));
      put("a=changed");
      assertThat(code(tx.commit())).isEqualTo(1020);
    }
    assertThat(stored("b")).isNull();
  }

  @Test
  void clearOfAKeyThatIsTooLongDoesNothing() {
    byte[] tooLong = new byte[10_001];
    try (Transaction reader = db.createTransaction();
        Transaction tx = db.createTransaction()) {
      reader.getRange(new byte[0], bytes("b")).asList().join();
      reader.set(bytes("x"), bytes("1"));
      tx.clear(tooLong);
      tx.set(bytes("y"), bytes("1"));
      tx.commit().join();
      reader.commit().join();
      tooLong[0] = (byte) 0xff;
      try (Transaction system = db.createTransaction()) {
        system.clear(tooLong);
        assertThat(code(system.commit())).isEqualTo(2004);
      }
    }
    assertThat(stored("y")).isNotNull();
  }

  @Test
  void conflictRangesConflictWithoutReads() {
    try (Transaction reader = db.createTransaction();
        Transaction writer = db.createTransaction()) {
      reader.addReadConflictRange(bytes("a"), bytes("c"));
      reader.set(bytes("x"), bytes("1"));
      writer.addWriteConflictKey(bytes("b"));
      writer.commit().join();
      assertThat(code(reader.commit())).isEqualTo(1020);
    }
  }

  @Test
  void conflictIfNotSnapshotIsOneForTransactionsAlone() {
    List<Predicate<ReadTransaction>> conflicts =
        List.of(
            reads -> reads.addReadConflictKeyIfNotSnapshot(bytes("b")),
            reads -> reads.addReadConflictRangeIfNotSnapshot(bytes("a"), bytes("c")));
    for (Predicate<ReadTransaction> conflict : conflicts) {
      try (Transaction tx = db.createTransaction();
          Transaction quiet = db.createTransaction()) {
        assertThat(conflict.test(tx)).isTrue();
        assertThat(conflict.test(quiet.snapshot())).isFalse();
        tx.set(bytes("x"), bytes("1"));
        quiet.set(bytes("x"), bytes("1"));
        put("b=" + tx);
        assertThat(code(tx.commit())).isEqualTo(1020);
        quiet.commit().join();
      }
    }
  }

  @Test
  @SuppressWarnings("deprecation") // layers still call it
  void clearOfAPrefixClearsWhatBeginsWithIt() {
    put("a=1", "ab=2", "ac/d=3", "b=4");
    db.run(
        tx -> {
          tx.clearRangeStartsWith(bytes("a"));
          return true;
        });
    assertThat(stored("a")).isNull();
    assertThat(stored("ab")).isNull();
    assertThat(stored("ac/d")).isNull();
    assertThat(stored("b")).isEqualTo(bytes("4"));
  }

  @Test
  void commitThatIsCancelledOnItsWayTellsWhatBecameOfIt() {
    for (int i = 0; i < 50; i++) {
      String key = "k" + i;
      try (Transaction tx = db.createTransaction()) {
        tx.set(bytes(key), bytes("1"));
        CompletableFuture<Void> commit = tx.commit();
        tx.cancel();
        if (commit.handle((done, failure) -> failure == null).join()) {
          assertThat(tx.getCommittedVersion()).isPositive();
          assertThat(stored(key)).isEqualTo(bytes("1"));
        } else {
          assertThat(code(commit)).isEqualTo(1025);
          assertThat(stored(key)).isNull();
        }
      }
    }
  }

  @Test
  void committedVersionAndVersionstampAgree() {
    try (Transaction tx = db.createTransaction()) {
      tx.set(bytes("a"), bytes("1"));
      assertThat(tx.getCommittedVersion()).isEqualTo(-1);
      CompletableFuture<byte[]> stamp = tx.getVersionstamp();
      assertThat(stamp).isNotDone();
      tx.commit().join();
      assertThat(stamp.join()).hasSize(10);
      assertThat(ByteBuffer.wrap(stamp.join()).getLong()).isEqualTo(tx.getCommittedVersion());
    }
  }

  @Test
  void transactionThatWroteNothingHasNoVersionstamp() {
    try (Transaction tx = db.createTransaction()) {
      tx.get(bytes("a")).join();
      CompletableFuture<byte[]> stamp = tx.getVersionstamp();
      assertThat(tx.commit()).isCompleted();
      assertThat(code(stamp)).isEqualTo(2021);
      assertThat(tx.getCommittedVersion()).isEqualTo(-1);
    }
  }

  @Test
  void versionstampOfAnAbandonedTransactionFails() {
    CompletableFuture<byte[]> stamp;
    try (Transaction tx = db.createTransaction()) {
      tx.set(bytes("a"), bytes("1"));
      stamp = tx.getVersionstamp();
    }
    assertThat(code(stamp)).isEqualTo(1025);
  }

  @Test
  void useDuringAndAfterCommitIsRefused() {
    try (Transaction tx = db.createTransaction()) {
      tx.set(bytes("a"), bytes("1"));
      CompletableFuture<Void> commit = tx.commit();
      assertThat(code(tx.get(bytes("a")))).isEqualTo(2017);
      tx.set(bytes("b"), bytes("2"));
      commit.join();
      assertThat(code(tx.commit())).isEqualTo(2017);
    }
    assertThat(stored("b")).isNull();
  }

  @Test
  void readVersionThatWasAskedForIsStillKnownAfterTheCommit() {
    put("a=1");
    Transaction tx = db.createTransaction();
    long version = tx.getReadVersion().join();
    tx.set(bytes("a"), bytes("2"));
    tx.commit().join();
    assertThat(tx.getReadVersion().join()).isEqualTo(version);
    assertThat(tx.snapshot().getReadVersion().join()).isEqualTo(version);
    tx.close();
    assertThat(code(tx.getReadVersion())).isEqualTo(1025);
    try (Transaction unasked = db.createTransaction()) {
      unasked.set(bytes("a"), bytes("3"));
      unasked.commit().join();
      assertThat(code(unasked.getReadVersion())).isEqualTo(2017);
    }
  }

  @Test
  void useAfterAFailedCommitIsRefusedWithWhatHappened() {
    try (Transaction tx = db.createTransaction()) {
      tx.get(bytes("a")).join();
      tx.set(bytes("b"), bytes("2"));
      put("a=changed");
      assertThat(code(tx.commit())).isEqualTo(1020);
      assertThatThrownBy(() -> tx.get(bytes("b")).join())
          .hasMessageContaining("The commit of this transaction failed");
      assertThat(code(tx.get(bytes("b")))).isEqualTo(2017);
    }
  }

  @Test
  void useAfterCancelAndCloseIsRefused() {
    Transaction tx = db.createTransaction();
    tx.cancel();
    assertThat(code(tx.get(bytes("a")))).isEqualTo(1025);
    tx.close();
    tx.close();
    assertThat(code(tx.commit())).isEqualTo(1025);
    assertThat(code(tx.getRange(bytes("a"), bytes("b")).asList())).isEqualTo(1025);
  }

  @Test
  void closedDatabaseBeginsNothingAndLeavesTheStoreOpen() {
    db.close();
    assertThat(code(() -> db.createTransaction())).isEqualTo(2000);
    Optional<byte[]> value = store.read(tx -> tx.get(Key.utf8("a")));
    assertThat(value).isEmpty();
  }

  @Test
  void commitRunsApartAndCallbacksRunInTheGivenExecutor() {
    Thread caller = Thread.currentThread();
    CompletableFuture<Thread> ran = new CompletableFuture<>();
    try (Transaction tx =
        db.createTransaction(
            task ->
                Thread.ofPlatform()
                    .name("callbacks")
                    .start(
                        () -> {
                          ran.complete(Thread.currentThread());
                          task.run();
                        }))) {
      tx.set(bytes("a"), bytes("1"));
      tx.commit().join();
      assertThat(ran.join()).isNotSameAs(caller);
      assertThat(ran.join().getName()).isEqualTo("callbacks");
    }
  }

  @Test
  void runStartsAgainAfterAConflict() {
    put("n=x");
    AtomicInteger attempts = new AtomicInteger();
    db.run(
        tx -> {
          tx.get(bytes("n")).join();
          if (attempts.incrementAndGet() <= 3) {
            put("n=y" + attempts);
          }
          tx.set(bytes("done"), bytes("1"));
          return true;
        });
    assertThat(attempts).hasValue(4);
    assertThat(stored("done")).isNotNull();
  }

  @Test
  void runAsyncStartsAgainAfterAConflict() {
    put("n=x");
    AtomicInteger attempts = new AtomicInteger();
    String result =
        db.runAsync(
                tx ->
                    tx.get(bytes("n"))
                        .thenApply(
                            value -> {
                              if (attempts.incrementAndGet() <= 3) {
                                put("n=y" + attempts);
                              }
                              tx.set(bytes("done"), bytes("1"));
                              return "result";
                            }))
            .join();
    assertThat(result).isEqualTo("result");
    assertThat(attempts).hasValue(4);
  }

  @Test
  void failureOfTheBodyEndsTheLoopAsInFdbJava() {
    assertThatThrownBy(
            () ->
                db.run(
                    tx -> {
                      throw new IllegalStateException("mine");
                    }))
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(IllegalStateException.class);
    CompletableFuture<Object> failed =
        db.runAsync(
            tx -> {
              throw new IllegalStateException("mine");
            });
    assertThat(failed.handle((value, problem) -> problem).join())
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void concurrentIncrementsAreAllCounted() throws Exception {
    byte[] key = bytes("counter");
    CountDownLatch done = new CountDownLatch(8);
    for (int i = 0; i < 8; i++) {
      Thread.startVirtualThread(
          () -> {
            for (int j = 0; j < 50; j++) {
              db.run(
                  tx -> {
                    byte[] old = tx.get(key).join();
                    tx.set(key, ByteArrayUtil.encodeInt(old == null ? 1 : decode(old) + 1));
                    return true;
                  });
            }
            done.countDown();
          });
    }
    done.await();
    assertThat(decode(stored("counter"))).isEqualTo(400);
  }

  private static long decode(byte[] value) {
    return ByteArrayUtil.decodeInt(value);
  }

  @Test
  void everyMutationOfFdbJavaIsKnown() {
    for (MutationType type : MutationType.values()) {
      byte[] key = bytes("m-" + type);
      byte[] operand = {1, 0, 0, 0};
      try (Transaction tx = db.createTransaction()) {
        if (type == MutationType.SET_VERSIONSTAMPED_KEY) {
          byte[] template = new byte[1 + 10 + 4];
          template[0] = 2;
          template[11] = 1;
          tx.mutate(type, template, operand);
        } else if (type == MutationType.SET_VERSIONSTAMPED_VALUE) {
          tx.mutate(type, key, new byte[14]);
        } else {
          tx.mutate(type, key, operand);
        }
        tx.commit().join();
      }
    }
    assertThat(stored("m-ADD")).containsExactly(1, 0, 0, 0);
    assertThat(stored("m-SET_VERSIONSTAMPED_VALUE")).hasSize(10);
  }
}
