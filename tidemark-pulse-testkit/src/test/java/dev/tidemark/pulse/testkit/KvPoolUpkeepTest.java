package dev.tidemark.pulse.testkit;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What nodes do on Tidemark's own store beside their jobs. */
class KvPoolUpkeepTest extends PoolConformance {
  private static final Subspace SPACE = Subspace.of("pulse");

  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database(), SPACE);
  }

  @Test
  void nodeClearsStreamsThatHaveExpiredThoughNobodyUsesThemAgain() {
    pulse().stream("s", o -> o.withTimeToLive(Duration.ofMillis(100))).add("e", bytes("1"));
    leaseIs(TTL);
    try (PoolNode node = node()) {
      eventually(() -> node + " has cleared the stream", () -> rows() == 0);
    }
  }

  private int rows() {
    return databases
        .database()
        .read(tx -> tx.scan(SPACE.sub("s", "s").prefixRange()).list())
        .size();
  }
}
