package dev.tidemark.records.processor.guide;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.records.Encryption;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.maintenance.Migrations;
import dev.tidemark.records.maintenance.Upkeep;
import dev.tidemark.records.query.BulkProgress;
import dev.tidemark.records.query.Group;
import dev.tidemark.records.query.TextQuery;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.testkit.Guide;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/records.md about declaring records. */
class RecordsGuideTest {
  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void recordIsSavedAndLoaded() {
    RecordStore<Book> books = BookStore.open(database);
    Book notes = new Book(1, "978-0", "Lovelace", 1843, List.of("engines"));
    database.run(tx -> books.save(tx, notes));

    Optional<Book> loaded = database.read(tx -> books.load(tx, 1L));
    assertThat(loaded).contains(notes);
  }

  @Test
  void compositeKeyHasItsOwnOrder() {
    RecordStore<Seat> seats = SeatStore.open(database);
    LocalDate opening = LocalDate.parse("2026-05-01");
    Seat free = new Seat(Optional.empty(), 7, opening);
    database.run(tx -> seats.save(tx, free));

    assertThat(database.read(tx -> seats.load(tx, opening, 7)).isPresent()).isTrue();
    assertThat(seats.primaryKey(free)).isEqualTo(Seat_.key(opening, 7));
  }

  @Test
  void numbersStayWhereTheyWere() {
    assertThat(Member_.FAMILY.number()).isEqualTo(2);
    assertThat(Member_.GIVEN.number()).isEqualTo(3);
    assertThat(Member_.GIVEN.name()).isEqualTo("firstName");
    assertThat(Member_.PHONE.number()).isEqualTo(9);
  }

  @Test
  void defaultsAreFilledIn() {
    RecordStore<Session> sessions = SessionStore.open(database);
    Session bare = new Session(UUID.randomUUID(), null, null, null, true);
    Session saved = database.transact(tx -> sessions.save(tx, bare));
    assertThat(saved.role()).isEqualTo(Session.Role.GUEST);
    assertThat(saved.started()).isNotNull();

    Session loaded = database.read(tx -> sessions.load(tx, bare.id()).orElseThrow());
    assertThat(loaded.changed()).isFalse();
  }

  @Test
  void indexesAreKept() {
    RecordStore<Ticket> tickets = TicketStore.open(database);
    Ticket.Place place = new Ticket.Place("A", 2);
    Ticket ticket =
        new Ticket(
            1, "Lamp", "ada", Ticket.Status.OPEN, null, place, Set.of("light"), Map.of("hours", 2));
    database.run(tx -> tickets.save(tx, ticket));

    assertThat(database.read(tx -> tickets.load(tx, 1L)).orElseThrow()).isEqualTo(ticket);
  }

  @Test
  void indexInCodeIsTheSame() {
    IndexSpec byBuilding =
        IndexSpec.of(
            "ticket_place_building",
            "Ticket",
            IndexKind.VALUE,
            List.of(Ticket_.PlaceFields.BUILDING.column()));
    IndexFilter open = IndexFilter.parse(Ticket_.TYPE.spec(), "status = 'OPEN' and closed is null");
    ColumnSpec newestFirst = ColumnSpec.parse(Ticket_.TYPE.spec(), "closed desc");

    assertThat(Ticket_.INDEXES).contains(byBuilding);
    assertThat(Ticket_.INDEXES.getFirst().filter()).isEqualTo(open);
    assertThat(newestFirst).isEqualTo(Ticket_.CLOSED.descending());
  }

  @Test
  void tenantHasItsOwnDirectory() {
    RecordStore<Note> acme = NoteStore.open(database, "acme");
    RecordStore<Note> other =
        NoteStore.open(database, "other", options -> options.withCompression(true));
    database.run(tx -> acme.save(tx, new Note(1, "Buy milk")));

    assertThat(database.read(tx -> other.load(tx, 1L)).isEmpty()).isTrue();
  }

  @Test
  void schemaHasAStoreForEachType() {
    LibraryStore library = LibraryStore.open(database, "Bern");
    database.run(
        tx -> {
          library.author().save(tx, new Author("Lovelace"));
          library.work().save(tx, new Work(1, "Notes", "Lovelace"));
        });
    database.run(tx -> library.author().delete(tx, "Lovelace"));
    assertThat(database.read(tx -> library.work().load(tx, 1L)).isEmpty()).isTrue();
  }

  @Test
  void expiredRecordsAreSwept() throws InterruptedException {
    RecordStore<Session> sessions = SessionStore.open(database);
    Instant longAgo = database.time().instant().minus(Duration.ofDays(2));
    database.run(
        tx -> sessions.save(tx, new Session(UUID.randomUUID(), null, null, longAgo, false)));
    int swept = database.transact(tx -> sessions.sweep(tx, 200));
    assertThat(swept).isEqualTo(1);

    database.run(
        tx -> sessions.save(tx, new Session(UUID.randomUUID(), null, null, longAgo, false)));
    try (Upkeep upkeep =
        Upkeep.of(sessions.space(), o -> o.withSweepEvery(Duration.ofMinutes(5)))) {
      serve(upkeep);
    }
    CountDownLatch done = new CountDownLatch(1);
    try (Upkeep upkeep =
        Upkeep.of(
            sessions.space(),
            o -> o.withSweepEvery(Duration.ofMillis(1)).withListener(event -> done.countDown()))) {
      serve(upkeep);
      assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    }
    int left = database.transact(tx -> sessions.sweep(tx, 200));
    assertThat(left).isZero();
  }

  private static void serve(Upkeep upkeep) {
    assertThat(upkeep).isNotNull();
  }

  @Test
  void manyRecordsAreDeleted() {
    RecordStore<Player> players = filledPlayers();
    database.run(tx -> players.deleteWhere(tx, "north"));
    assertThat(count(players)).isEqualTo(10);

    database.run(tx -> players.deleteBetween(tx, Tuple.of("south", 0), Tuple.of("south", 5)));
    assertThat(count(players)).isEqualTo(5);

    BulkProgress gone = players.query().where(Player_.POINTS.lt(80)).delete();
    assertThat(gone.changed()).isEqualTo(3);
  }

  @Test
  void groupsHaveTotals() {
    RecordStore<Sale> sales = SaleStore.open(database);
    database.run(
        tx -> {
          sales.save(tx, new Sale(1, "CH", "East", 250));
          sales.save(tx, new Sale(2, "CH", "East", 100));
          sales.save(tx, new Sale(3, "CH", "West", 400));
          sales.save(tx, new Sale(4, "NO", "East", 999));
        });
    try (Transaction tx = database.begin()) {
      long count = sales.count(tx, "sale_count", "CH", "East");
      long cents = sales.sum(tx, "sale_cents", "CH", "East");
      Optional<Object> least = sales.min(tx, "sale_least", "CH", "East");
      Optional<Object> country = sales.rollUp(tx, "sale_cents", "CH");
      List<Group> regions = sales.groups(tx, "sale_cents", "CH").toList();
      assertThat(count).isEqualTo(2);
      assertThat(cents).isEqualTo(350);
      assertThat(least).contains(100L);
      assertThat(country).contains(750L);
      assertThat(regions)
          .containsExactly(
              new Group(List.of("CH", "East"), 350L), new Group(List.of("CH", "West"), 400L));
      assertThat(sales.count(tx, "sale_count", "NO", "West")).isZero();
      assertThat(sales.min(tx, "sale_least", "NO", "West")).isEmpty();
      Guide guide = Guide.read("docs/records.md").part("### Totals of groups");
      assertThatThrownBy(() -> sales.sum(tx, "sale_cents", "CH"))
          .satisfies(refused -> guide.showsOutput(String.valueOf(refused.getMessage())));
    }
  }

  @Test
  void recordsHaveRanks() {
    RecordStore<Player> players = filledPlayers();
    try (Transaction tx = database.begin()) {
      OptionalLong place = players.rank(tx, "players_by_points", "north", 7L);
      Optional<Player> first = players.atRank(tx, "players_by_points", 0, "north");
      long ahead = players.countBelow(tx, "players_by_points", "north", 55);
      assertThat(place).hasValue(2);
      assertThat(first.orElseThrow().points()).isEqualTo(90);
      assertThat(ahead).isEqualTo(4);
    }
  }

  @Test
  void textsAreFoundByTheirWords() {
    RecordStore<Article> articles = ArticleStore.open(database);
    database.run(
        tx -> {
          articles.save(tx, new Article(1, "en", "Group commit shares one sync."));
          articles.save(tx, new Article(2, "en", "A commit of the group"));
        });
    try (Transaction tx = database.begin()) {
      TextQuery phrase = TextQuery.phrase("group commit");
      List<Article> found = articles.search(tx, "article_words", phrase, "en").toList();
      assertThat(found).extracting(Article::id).containsExactly(1L);
    }
  }

  @Test
  void recordsAreEncryptedAndTakenToANewKey() {
    SecretKey first = new SecretKeySpec("0123456789abcdef".getBytes(US_ASCII), "AES");
    SecretKey second = new SecretKeySpec("fedcba9876543210".getBytes(US_ASCII), "AES");
    Encryption old = Encryption.with(1, first);
    RecordStore<Note> notes = NoteStore.open(database, "acme", o -> o.withEncryption(old));
    database.run(tx -> notes.save(tx, new Note(1, "The code is 4711")));

    Encryption now = Encryption.with(2, second);
    RecordStore<Note> later = NoteStore.open(database, "acme", o -> o.withEncryption(now));
    assertThatThrownBy(() -> database.read(tx -> later.load(tx, 1L)))
        .isInstanceOf(DamagedRecordException.class)
        .hasMessageContaining("key 1");
    Encryption both = old.rotatedTo(2, second);
    RecordStore<Note> rotated = NoteStore.open(database, "acme", o -> o.withEncryption(both));
    Migrations.of(rotated.space()).transform("notes to key 2", Note_.TYPE, note -> note).run();
    assertThat(database.read(tx -> later.load(tx, 1L)).orElseThrow().text()).contains("4711");

    Encryption learning = Encryption.with(2, second).rotatedTo(1, first);
    RecordStore<Note> reader = NoteStore.open(database, "acme", o -> o.withEncryption(learning));
    assertThat(database.read(tx -> reader.load(tx, 1L)).isPresent()).isTrue();
    assertThat(learning.current()).isEqualTo(1);
  }

  private long count(RecordStore<?> store) {
    return database.<Long, RuntimeException>read(store::count);
  }

  private RecordStore<Player> filledPlayers() {
    RecordStore<Player> players = PlayerStore.open(database);
    database.run(
        tx -> {
          for (int id = 0; id < 10; id++) {
            players.save(tx, new Player("north", id, id * 10));
            players.save(tx, new Player("south", id, id * 10));
          }
        });
    return players;
  }

  /** Every block of Java in the guide is code from here. */
  @Test
  void guideShowsCodeThatRuns() {
    Guide.read("docs/records.md")
        .part("## Declaring records")
        .showsCodeOf(
            14, "tidemark-records-processor/src/test/java/dev/tidemark/records/processor/guide");
    Guide.read("docs/records.md")
        .part("## Working with records")
        .showsCodeOf(
            14, "tidemark-records-processor/src/test/java/dev/tidemark/records/processor/guide");
  }
}
