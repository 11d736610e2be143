package dev.tidemark.changes.internal.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.spanner.Dialect;
import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.Lineage;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.spanner.Emulator;
import dev.tidemark.changes.spanner.SpannerChanges;
import dev.tidemark.changes.spanner.SpannerChangesOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of metadata stores, on tables in Google's emulator, in GoogleSQL. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SpannerMetadataTest extends MetadataContract {
  private static @Nullable Emulator emulator;

  private @Nullable SpannerChanges changes;

  @BeforeAll
  static void startEmulator() throws Exception {
    emulator = Emulator.start().orElse(null);
    Assumptions.assumeTrue(emulator != null, "no Spanner emulator");
  }

  @AfterAll
  static void stopEmulator() {
    if (emulator != null) {
      emulator.close();
    }
  }

  @BeforeEach
  void openStore() throws Exception {
    String database = required(emulator).database(dialect(), List.of());
    changes = open(database);
    changes.metadata().createTables();
  }

  private SpannerChanges open(String database) {
    return SpannerChanges.open(
        SpannerChangesOptions.forStream(database, "none")
            .withEmulator(required(emulator).address)
            .withPartitions(1)
            .withTime(time));
  }

  @Test
  void tablesOfWhichSomeWereMadeAreCompleted() throws Exception {
    List<String> ddl = required(changes).metadata().ddl();
    String database = required(emulator).database(dialect(), ddl.subList(0, 1));
    try (SpannerChanges half = open(database)) {
      assertThatThrownBy(() -> Lineage.of(half.metadata(), "run"))
          .isInstanceOf(IllegalStateException.class);
      half.metadata().createTables();
      half.metadata().createTables();
      assertThat(Lineage.of(half.metadata(), "run").run()).isEmpty();
    }
  }

  @Test
  void readerWithoutTablesIsToldHowTheyAreMade() throws Exception {
    try (SpannerChanges bare = open(required(emulator).database(dialect(), List.of()));
        ChangeReader reader = bare.reader(ReaderOptions.forRun("run"))) {
      assertThatThrownBy(() -> reader.start(delivery -> {}))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Call createTables(), or run: CREATE TABLE");
    }
  }

  @AfterEach
  void closeStore() {
    if (changes != null) {
      changes.close();
    }
  }

  Dialect dialect() {
    return Dialect.GOOGLE_STANDARD_SQL;
  }

  private static <T> T required(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("It was not started");
    }
    return value;
  }

  @Override
  MetadataStore store() {
    return required(changes).metadata();
  }
}
