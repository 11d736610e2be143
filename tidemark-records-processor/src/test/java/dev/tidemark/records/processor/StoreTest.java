package dev.tidemark.records.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.directory.DirectoryLayer;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.SchemaException;
import dev.tidemark.records.UniquenessException;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Generated stores and fields at work. */
class StoreTest {
  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void storeOfATenantSavesAndLoads() {
    RecordStore<User> users = UserStore.open(database, "acme");

    User saved =
        database.transact(tx -> users.save(tx, User.of(1, "ada@example.com", "Zürich", 36)));

    assertThat(saved.status()).isEqualTo(User.Status.OPEN);
    assertThat(saved.createdAt()).isNotNull();
    Optional<User> loaded = database.transact(tx -> users.load(tx, 1L));
    assertThat(loaded).contains(saved);
  }

  @Test
  void tenantsDoNotSeeEachOther() {
    RecordStore<User> acme = UserStore.open(database, "acme");
    RecordStore<User> other =
        UserStore.open(database, "other", options -> options.withCompression(true));

    database.run(tx -> acme.save(tx, User.of(1, "ada@example.com", null, 36)));

    Optional<User> loaded = database.transact(tx -> other.load(tx, 1L));
    assertThat(loaded).isEmpty();
    List<String> tenants = DirectoryLayer.DEFAULT.list(database, "tenants");
    assertThat(tenants).containsExactly("acme", "other");
  }

  @Test
  void uniqueFieldIsEnforced() {
    RecordStore<User> users = UserStore.open(database, "acme");
    database.run(tx -> users.save(tx, User.of(1, "ada@example.com", null, 36)));

    assertThatThrownBy(
            () -> database.run(tx -> users.save(tx, User.of(2, "ada@example.com", null, 36))))
        .isInstanceOf(UniquenessException.class)
        .hasMessageContaining("user_email");
  }

  @Test
  void typesOfASchemaLieInOnePlace() {
    ShopStore shop = ShopStore.open(database, "Bern");

    database.run(
        tx -> {
          shop.customer().save(tx, new Customer(1, "Ada"));
          shop.order().save(tx, new Order(7, 1, 250, List.of(new Order.Line("tea", 2)), "express"));
        });

    Optional<Order> order = database.transact(tx -> shop.order().load(tx, 7L));
    assertThat(order.orElseThrow().lines()).containsExactly(new Order.Line("tea", 2));
    assertThat(shop.space().schema().types().stream().<String>map(RecordType::name))
        .containsExactly("Customer", "Order");
  }

  @Test
  void recordThatItsClassRefusesIsNamedByEveryRead() {
    RecordStore<Guest> guests = GuestStore.open(database);
    database.run(
        tx -> {
          guests.save(tx, new Guest(1, "Ada", "Bern"));
          guests.save(tx, new Guest(2, null, "Bern"));
        });
    RecordStore<StrictGuest> strict = StrictGuestStore.open(database);

    refused("The Guest (2)", () -> database.read(tx -> strict.load(tx, 2L)));
    refused("The Guest (2)", () -> database.read(tx -> strict.scan(tx).toList()));
    refused("The Guest (2)", () -> database.read(tx -> strict.query().list(tx)));
    refused(
        "A Guest",
        () -> database.read(tx -> strict.query().where(StrictGuest_.TOWN.eq("Bern")).list(tx)));
    Optional<StrictGuest> other = database.read(tx -> strict.load(tx, 1L));
    assertThat(other).map(StrictGuest::name).contains("Ada");
  }

  private static void refused(String what, ThrowingCallable read) {
    assertThatThrownBy(read)
        .isInstanceOf(DamagedRecordException.class)
        .hasMessageContaining(what + " cannot be read. Its class refuses what is stored")
        .hasRootCauseMessage("a guest has a name");
  }

  @Test
  @SuppressWarnings({"NullAway", "NullOptional"}) // that is the mistake
  void nullCollectionsAndElementsAreRefusedWithTheirNames() {
    RecordStore<User> users = UserStore.open(database, "acme");
    Optional<String> none = Optional.empty();
    Map<String, Integer> noNumber = new HashMap<>();
    noNumber.put("a", null);

    unsaved(users, user(null, Map.of(), none), "'tags' is null; take an empty collection");
    unsaved(users, user(Arrays.asList("a", null), Map.of(), none), "'tags' has a null in it");
    unsaved(users, user(List.of(), null, none), "'labels' is null; take an empty collection");
    unsaved(users, user(List.of(), noNumber, none), "'labels' has a null in it");
    unsaved(users, user(List.of(), Map.of(), null), "'nickname' is null; take an empty Optional");
  }

  private void unsaved(RecordStore<User> users, User user, String why) {
    assertThatThrownBy(() -> database.run(tx -> users.save(tx, user)))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("A User cannot be saved")
        .hasMessageContaining(why);
  }

  private static User user(
      List<String> tags, Map<String, Integer> labels, Optional<String> nickname) {
    return new User(1, "a@b", "Bern", 36, null, null, null, tags, labels, nickname, null, false);
  }

  @Test
  void keyHasItsPartsInTheirOrderAndFindsTheRecord() {
    UUID id = new UUID(1, 2);
    RecordStore<Everything> store = EverythingStore.open(database);
    Everything record = new RandomRecords(1).everything();
    database.run(tx -> store.save(tx, record));

    assertThat(Everything_.key(id, "n")).isEqualTo(Tuple.of(id, "n"));
    assertThat(store.primaryKey(record)).isEqualTo(Everything_.key(record.id(), record.name()));
    assertThatThrownBy(() -> Everything_.TYPE.spec().key(id))
        .hasMessage("The primary key of a Everything has 2 parts; 1 were given");
  }

  @Test
  void fieldsKnowTheirNamesTypesAndValues() {
    User user = User.of(1, "ada@example.com", "Zürich", 36);

    assertThat(User_.TOWN.name()).isEqualTo("city");
    assertThat(User_.TOWN.number()).isEqualTo(3);
    assertThat(User_.TOWN.type()).isEqualTo(FieldType.Scalar.STRING);
    assertThat(User_.TOWN.get(user)).isEqualTo("Zürich");
    assertThat(User_.NICKNAME.get(user)).isNull();
    assertThat(User_.AddressFields.ZIP).hasToString("address.zip");
    assertThat(User_.AddressFields.ZIP.get(user)).isNull();
    assertThat(Order_.TYPE_.name()).isEqualTo("type");
  }

  @Test
  void columnsOfFieldsAreThoseThatTextNames() {
    assertThat(User_.TOWN.column()).isEqualTo(column("city"));
    assertThat(User_.AGE.descending()).isEqualTo(column("age desc"));
    assertThat(User_.AddressFields.ZIP.column()).isEqualTo(column("address.zip"));
    assertThat(User_.TAGS.column()).isEqualTo(column("tags[]"));
  }

  private static ColumnSpec column(String text) {
    return ColumnSpec.parse(User_.TYPE.spec(), text);
  }

  @Test
  void indexesAreNamedByStoredNames() {
    assertThat(User_.INDEXES.stream().map(IndexSpec::name))
        .containsExactly(
            "user_city_age_desc",
            "user_city_count",
            "user_address_zip",
            "user_tags",
            "user_labels_keys",
            "open_users",
            "user_email");
    assertThat(Order_.INDEXES.stream().map(IndexSpec::name))
        .containsExactly("order_lines_product", "order_customer_total_sum");
  }

  @Test
  void typeHasTheExpiryAndTheVersionsOfItsAnnotations() {
    assertThat(User_.TYPE.spec().versions()).isTrue();
    assertThat(User_.TYPE.spec().expiry().orElseThrow().after()).isEqualTo(Duration.ofDays(1));
  }

  @Test
  @SuppressWarnings("NullAway") // what a program may do that is not checked for nulls
  void tenantsWithoutANameAreRefused() {
    assertThatThrownBy(() -> UserStore.open(database, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("is null; it is a name in the path of the store");
    assertThatThrownBy(() -> UserStore.open(database, ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has an empty name");
  }
}
