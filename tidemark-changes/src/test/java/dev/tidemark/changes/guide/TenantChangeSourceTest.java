package dev.tidemark.changes.guide;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.Delivery;
import dev.tidemark.changes.EndReason;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.StartAt;
import dev.tidemark.changes.TenantChangeSource;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.Schema;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The stores of several tenants, followed by one reader. */
class TenantChangeSourceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final MetadataStore metadata = MetadataStore.in(database, Subspace.of("readers"));
  private final Map<String, RecordSpace> spaces = new TreeMap<>();
  private final List<String> seen = new CopyOnWriteArrayList<>();

  TenantChangeSourceTest() {
    open("acme");
    open("globex");
  }

  private void open(String tenant) {
    Schema schema =
        Schema.of(1, List.of(Account_.TYPE), List.of()).withStreams(ChangeStreamSpec.of("ledger"));
    spaces.put(tenant, RecordSpace.open(database, schema, Subspace.of("tenants", tenant)));
  }

  private RecordSpace space(String tenant) {
    return Objects.requireNonNull(spaces.get(tenant), tenant);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private TenantChangeSource source() {
    return TenantChangeSource.of(spaces, "ledger");
  }

  private void save(String tenant, long id, long balance) {
    RecordStore<Account> accounts = space(tenant).store(Account_.TYPE);
    database.run(tx -> accounts.save(tx, new Account(id, "Ada", balance)));
  }

  private static ReaderOptions options() {
    return ReaderOptions.forRun("tenants")
        .withStart(StartAt.beginning())
        .withHeartbeat(Duration.ofMillis(100))
        .withDetectionInterval(Duration.ofMillis(10))
        .withFlushInterval(Duration.ofMillis(10));
  }

  private ChangeReader reader(ChangeSource source) {
    return reader(source, options());
  }

  private ChangeReader reader(ChangeSource source, ReaderOptions options) {
    ChangeReader reader = ChangeReader.of(source, metadata, options);
    reader.start(this::add);
    return reader;
  }

  private void add(Delivery delivery) {
    var mod = delivery.change().mods().getFirst();
    seen.add(
        TenantChangeSource.tenantOf(delivery.token())
            + " "
            + mod.keys().get("id").orElseThrow()
            + "="
            + mod.newValues().get("balance").orElseThrow());
  }

  private void stop(ChangeReader reader) throws InterruptedException {
    assertThat(reader.stop(PATIENCE)).isEqualTo(new EndReason.Stopped(true));
  }

  @Test
  void oneReaderFollowsAllTenantsAcrossSplits() throws Exception {
    save("acme", 1, 10);
    save("globex", 1, 20);
    try (ChangeReader reader = reader(source())) {
      eventually("the changes that were there", () -> seen.size() == 2);
      ChangeLog log = space("acme").changes().log("ledger");
      log.split(log.partitions().getLast().token(), "Account", Tuple.of(5L));
      save("acme", 1, 11);
      save("acme", 7, 70);
      save("globex", 1, 21);
      eventually("the changes behind the split", () -> seen.size() == 5);
      stop(reader);
    }
    assertThat(seen)
        .containsExactlyInAnyOrder(
            "acme 1=10", "globex 1=20", "acme 1=11", "acme 7=70", "globex 1=21")
        .containsSubsequence("acme 1=10", "acme 1=11")
        .containsSubsequence("globex 1=20", "globex 1=21");
  }

  @Test
  void tenantThatIsAddedLaterIsReadFromItsFirstChangeAndTheOthersGoOn() throws Exception {
    save("acme", 1, 10);
    try (ChangeReader reader = reader(source())) {
      eventually("the first change", () -> seen.size() == 1);
      stop(reader);
    }
    open("initech");
    save("initech", 1, 30);
    save("acme", 1, 11);
    try (ChangeReader reader = reader(source())) {
      eventually("the changes of both", () -> seen.size() == 3);
      stop(reader);
    }
    assertThat(seen).containsExactlyInAnyOrder("acme 1=10", "initech 1=30", "acme 1=11");
  }

  @Test
  void partitionsOfAnUnknownTenantWaitUntilItIsSaidToBeGone() throws Exception {
    save("acme", 1, 10);
    save("globex", 1, 20);
    try (ChangeReader reader = reader(source())) {
      eventually("the changes of both", () -> seen.size() == 2);
      stop(reader);
    }
    spaces.remove("globex");
    save("acme", 1, 11);
    try (ChangeReader reader = reader(source())) {
      eventually("the change of the tenant that is left", () -> seen.size() == 3);
      assertThat(reader.lineage().partitions())
          .anyMatch(row -> row.token().startsWith("globex/") && !row.isFinished());
      stop(reader);
    }
    try (ChangeReader reader = reader(source().withoutFormer(List.of("globex")))) {
      eventually(
          "the partitions of the former tenant are finished",
          () ->
              reader.lineage().partitions().stream()
                  .allMatch(row -> !row.token().startsWith("globex/") || row.isFinished()));
      stop(reader);
    }
    assertThat(seen).hasSize(3);
  }

  @Test
  void twoThousandTenantsAreFollowedWithFewWatchesAndTheBusyOnesPromptly() throws Exception {
    int tenants = 2_000;
    for (int i = 0; i < tenants; i++) {
      open("t" + i);
    }
    long before = database.statistics().watches();
    try (ChangeReader reader = reader(source(), options().withHeartbeat(Duration.ofMinutes(5)))) {
      eventually(
          "the partition of each is read",
          () -> reader.statistics().queries() >= 2L * (tenants + 2));
      Set<String> expected = new TreeSet<>();
      for (int i = 0; i < tenants; i += 17) {
        save("t" + i, 1, i);
        expected.add("t%d 1=%d".formatted(i, i));
      }
      eventually("a change of many tenants", () -> Set.copyOf(seen).equals(expected));
      for (int round = 0; round < 20; round++) {
        save("t1999", 2, round);
        String change = "t1999 2=" + round;
        eventually("the next change of a busy tenant", () -> seen.contains(change));
      }
      assertThat(database.statistics().watches() - before)
          .as("watches that are open for %d tenants", tenants)
          .isBetween(1L, 100L);
      stop(reader);
    }
    eventually("no watch is left", () -> database.statistics().watches() == before);
  }

  @Test
  void whatCannotBeOneSourceIsRefused() {
    try (EmbeddedDatabase other = EmbeddedDatabase.inMemory()) {
      RecordSpace elsewhere =
          RecordSpace.open(
              other,
              Schema.of(1, List.of(Account_.TYPE), List.of())
                  .withStreams(ChangeStreamSpec.of("ledger")),
              Subspace.of("tenants", "hooli"));
      Map<String, RecordSpace> both = new TreeMap<>(spaces);
      both.put("hooli", elsewhere);
      assertThatThrownBy(() -> TenantChangeSource.of(both, "ledger"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("2 databases");
    }
    assertThatThrownBy(() -> TenantChangeSource.of(Map.of(), "ledger"))
        .hasMessageContaining("no tenant");
    assertThatThrownBy(() -> TenantChangeSource.of(Map.of("a/b", space("acme")), "ledger"))
        .hasMessageContaining("'a/b'");
    assertThatThrownBy(() -> source().withoutFormer(List.of("acme")))
        .hasMessageContaining("'acme'");
  }
}
