package dev.tidemark.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext.TransactionBody;
import dev.tidemark.kv.directory.DirectoryLayer;
import dev.tidemark.kv.tuple.Subspace;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How prefixes are chosen by threads that share a transaction, where no conflict would tell. */
class DirectoryAllocationTest {
  private static final Key NUMBERS =
      Subspace.fromPrefix(Key.hex("fe"))
          .pack(new byte[] {(byte) 0xfe}, "hca".getBytes(StandardCharsets.US_ASCII), 1);

  private final Set<Thread> choosing = ConcurrentHashMap.newKeySet();
  private final AtomicInteger most = new AtomicInteger();
  private final Semaphore company = new Semaphore(0);

  @Test
  void oneThreadAtATimeIsBetweenLookingAtANumberAndTakingIt() throws Exception {
    try (Database db = EmbeddedDatabase.inMemory();
        Transaction tx = db.begin();
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Transaction watched = watched(tx);
      Future<?> a = executor.submit(() -> DirectoryLayer.DEFAULT.create(watched, "a"));
      Future<?> b = executor.submit(() -> DirectoryLayer.DEFAULT.create(watched, "b"));
      a.get();
      b.get();
      assertThat(DirectoryLayer.DEFAULT.list(tx)).containsExactly("a", "b");
    }
    assertThat(most).hasValue(1);
  }

  private Transaction watched(Transaction tx) {
    return proxy(
        Transaction.class,
        (self, method, arguments) -> {
          switch (method.getName()) {
            case "transact" -> {
              return ((TransactionBody<?, ?>) arguments[0]).apply((Transaction) self);
            }
            case "snapshot" -> {
              return watchedSnapshot(tx.snapshot());
            }
            case "set" -> {
              if (isNumber(arguments[0])) {
                choosing.remove(Thread.currentThread());
              }
            }
            default -> {}
          }
          return method.invoke(tx, arguments);
        });
  }

  private ReadTransaction watchedSnapshot(ReadTransaction tx) {
    return proxy(
        ReadTransaction.class,
        (self, method, arguments) -> {
          if (method.getName().equals("get") && isNumber(arguments[0])) {
            awaitCompany();
          }
          return method.invoke(tx, arguments);
        });
  }

  /** Gives the other thread the time to get here too, if nothing holds it back. */
  private void awaitCompany() throws InterruptedException {
    choosing.add(Thread.currentThread());
    most.accumulateAndGet(choosing.size(), Math::max);
    if (choosing.size() == 1) {
      assertThat(company.tryAcquire(200, TimeUnit.MILLISECONDS)).isFalse();
    } else {
      company.release();
    }
  }

  private static boolean isNumber(Object key) {
    return key instanceof Key row && row.startsWith(NUMBERS);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
