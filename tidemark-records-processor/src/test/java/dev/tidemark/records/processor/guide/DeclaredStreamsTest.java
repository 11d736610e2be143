package dev.tidemark.records.processor.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.SchemaException;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.Schema;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a class declares is recorded, or the store is not opened. */
class DeclaredStreamsTest {
  private static final Schema BY_HAND = Schema.of(1, List.of(Account_.TYPE), List.of());

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();

  @AfterEach
  void close() {
    database.close();
  }

  private RecordSpace open(Schema schema) {
    return RecordSpace.open(database, schema, Subspace.of("bank"));
  }

  @Test
  void schemaByHandThatHasNoneOfTheDeclaredStreamsIsRefused() {
    assertThatThrownBy(() -> open(BY_HAND))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining(Account.class.getName())
        .hasMessageContaining("'accounts'")
        .hasMessageContaining("Schema.withStreams");
  }

  @Test
  void schemaThatLostOneOfTheDeclaredStreamsIsRefused() {
    Schema others = BY_HAND.withStreams(ChangeStreamSpec.of("accounts"));
    assertThatThrownBy(() -> open(others))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("'owners'");
  }

  @Test
  void schemaByHandWithTheDeclaredStreamsRecordsChanges() {
    Schema streams =
        BY_HAND.withStreams(ChangeStreamSpec.of("accounts"), ChangeStreamSpec.of("owners"));
    RecordStore<Account> accounts = open(streams).store(Account_.TYPE);
    database.run(tx -> accounts.save(tx, new Account(1, "Ada", 100)));

    ChangeLog log = accounts.space().changes().log("owners");
    String token = log.partitions().getFirst().token();
    assertThat(log.read(token, log.earliest(), 10, 1 << 20).changes()).hasSize(1);
  }
}
