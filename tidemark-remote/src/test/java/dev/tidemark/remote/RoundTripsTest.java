package dev.tidemark.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a transaction asks the server for: its reads and its commit, and nothing beside. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class RoundTripsTest {
  private static final Key A = Key.utf8("a");
  private static final Key B = Key.utf8("b");

  /** A reader is opened and released beside the read and the commit, and neither is waited for. */
  private static final long REQUESTS = 4;

  private final EmbeddedDatabase served = EmbeddedDatabase.inMemory();
  private final DatabaseServer server = DatabaseServer.open(served, o -> o.withPort(0));
  private final RemoteDatabase remote = RemoteDatabase.connect(server.uri());

  @AfterEach
  void close() {
    remote.close();
    server.close();
    served.close();
  }

  private long requestsOf(Consumer<Transaction> reads) {
    remote.run(tx -> tx.set(A, new byte[] {1}));
    long before = server.statistics().requests();
    try (Transaction tx = remote.begin()) {
      reads.accept(tx);
      tx.set(B, new byte[] {2});
      tx.commit();
    }
    return server.statistics().requests() - before;
  }

  @Test
  void versionComesWithTheValue() {
    assertThat(requestsOf(tx -> tx.get(A))).isLessThanOrEqualTo(REQUESTS);
  }

  @Test
  void versionComesWithTheValues() {
    assertThat(requestsOf(tx -> tx.getAll(List.of(A, B)))).isLessThanOrEqualTo(REQUESTS);
  }

  @Test
  void versionComesWithTheRows() {
    assertThat(requestsOf(tx -> tx.scan(KeyRange.of(A, B)).list())).isLessThanOrEqualTo(REQUESTS);
  }

  @Test
  void rangesClearedAfterAVersionstampedSetAreSentOnce() {
    long alone = bytesOf(RoundTripsTest::clearMany);
    long after =
        bytesOf(
            tx -> {
              tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, Key.of(new byte[14]), new byte[1]);
              clearMany(tx);
            });
    assertThat(after).isLessThan(alone + 200);
  }

  private static void clearMany(Transaction tx) {
    for (int i = 0; i < 1_000; i++) {
      tx.clear(KeyRange.single(Key.utf8("key %d".formatted(i))));
    }
  }

  private long bytesOf(Consumer<Transaction> writes) {
    long before = server.statistics().bytesReceived();
    try (Transaction tx = remote.begin()) {
      writes.accept(tx);
      tx.commit();
    }
    return server.statistics().bytesReceived() - before;
  }

  @Test
  void versionIsAskedForWhereNothingWasRead() {
    try (Transaction tx = remote.begin()) {
      assertThat(tx.readVersion()).isPositive();
      assertThat(tx.get(A)).isEmpty();
      assertThat(tx.readVersion()).isEqualTo(served.read(read -> read.readVersion()));
    }
  }
}
