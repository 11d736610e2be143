package dev.tidemark.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads of many long keys at once. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class LongKeysTest {
  private static final Limits SMALL = Limits.DEFAULTS.withTransactionBytes(1_000_000);

  @Test
  void readsOfMoreKeysThanAFrameMayHaveAreMadeInParts() {
    try (EmbeddedDatabase served = EmbeddedDatabase.inMemory(o -> o.withLimits(SMALL));
        DatabaseServer server = DatabaseServer.open(served);
        RemoteDatabase client = RemoteDatabase.connect(server.uri())) {
      List<Key> keys = new ArrayList<>();
      for (int i = 0; i < 600; i++) {
        keys.add(Key.utf8("%09000d".formatted(i)));
      }
      client.run(tx -> tx.set(keys.get(599), new byte[] {1}));
      Map<Key, byte[]> found = client.read(tx -> tx.getAll(keys));
      assertThat(found).containsOnlyKeys(keys.get(599));
    }
  }
}
