package dev.tidemark.pulse.testkit;

import dev.tidemark.kv.Database;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.DatabaseExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

class KvStreamTest extends StreamConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(OnTidemark::inMemory);

  private Database database;

  @BeforeEach
  void take(Database given) {
    database = given;
  }

  @Override
  protected Pulse open() {
    return Pulse.on(database);
  }
}
