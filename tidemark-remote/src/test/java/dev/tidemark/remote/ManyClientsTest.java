package dev.tidemark.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.TransactionOptions.Idempotency;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Thousands of clients at one server. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ManyClientsTest {
  private static final int CLIENTS = 2_000;
  private static final int AT_A_TIME = 32;
  private static final Key COUNT = Key.utf8("count");

  @Test
  void twoThousandClientsReadAndCommit() throws Exception {
    Queue<RemoteDatabase> clients = new ConcurrentLinkedQueue<>();
    try (EmbeddedDatabase served = EmbeddedDatabase.inMemory();
        DatabaseServer server = DatabaseServer.open(served)) {
      try {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
          numbers.add(i);
        }
        forEach(numbers, number -> clients.add(connect(server)));
        assertThat(server.statistics().clients()).isEqualTo(CLIENTS);
        forEach(clients, ManyClientsTest::readAndCommit);
        byte[] count = served.read(tx -> tx.get(COUNT).orElseThrow());
        assertThat(ByteBuffer.wrap(count).order(ByteOrder.LITTLE_ENDIAN).getLong())
            .isEqualTo(CLIENTS);
        assertThat(heapAfterCollection()).as("heap in use").isLessThan(700L << 20);
      } finally {
        forEach(clients, RemoteDatabase::close);
      }
    }
  }

  private static RemoteDatabase connect(DatabaseServer server) {
    return RemoteDatabase.connect(server.uri(), o -> o.withConnectTimeout(Duration.ofSeconds(60)));
  }

  private static void readAndCommit(RemoteDatabase client) {
    client.read(tx -> tx.get(COUNT));
    client
        .with(o -> o.withIdempotency(Idempotency.OFF))
        .run(tx -> tx.mutate(MutationType.ADD, COUNT, new byte[] {1, 0, 0, 0, 0, 0, 0, 0}));
  }

  private static long heapAfterCollection() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static <T> void forEach(Iterable<T> all, Consumer<T> action) throws Exception {
    Semaphore permits = new Semaphore(AT_A_TIME);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (T each : all) {
        running.add(
            threads.submit(
                () -> {
                  permits.acquire();
                  try {
                    action.accept(each);
                  } finally {
                    permits.release();
                  }
                  return true;
                }));
      }
      for (Future<?> each : running) {
        each.get(2, TimeUnit.MINUTES);
      }
    }
  }
}
