package dev.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Tuple;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of the README does what it says. */
class ReadmeProgramTest {
  @Test
  void programMovesMoneyFromAnnToBob(@TempDir Path directory) {
    Transfer.main(new String[] {directory.toString()});

    try (EmbeddedDatabase db = EmbeddedDatabase.open(directory)) {
      List<KeyValue> rows = db.read(tx -> tx.scan(Transfer.ACCOUNTS.range()).list());
      assertThat(rows)
          .extracting(
              row -> Transfer.ACCOUNTS.unpack(row.key()).getString(0),
              row -> Tuple.unpack(row.value()).getLong(0))
          .containsExactly(tuple("ann", 70L), tuple("bob", 30L));
    }
  }
}
