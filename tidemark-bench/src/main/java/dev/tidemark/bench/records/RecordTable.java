package dev.tidemark.bench.records;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.query.IndexEntry;
import dev.tidemark.records.query.IndexRange;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/** The users in a record store on the embedded engine. */
final class RecordTable implements UserTable {
  private final EmbeddedDatabase database;
  private final RecordStore<User> store;

  RecordTable(Path directory) {
    database = EmbeddedDatabase.open(directory);
    store = RecordSpace.open(database, User_.SCHEMA, Subspace.of("users")).store(User_.TYPE);
  }

  EmbeddedDatabase database() {
    return database;
  }

  RecordSpace space() {
    return store.space();
  }

  @Override
  public String name() {
    return "records";
  }

  @Override
  public void save(List<User> users) {
    database.run(tx -> save(tx, users));
  }

  void save(Transaction tx, List<User> users) {
    for (User user : users) {
      store.save(tx, user);
    }
  }

  @Override
  public User load(long userId) {
    return database.read(tx -> store.load(tx, userId)).orElseThrow();
  }

  User load(Transaction tx, long userId) {
    return store.load(tx, userId).orElseThrow();
  }

  /** What the store has under {@code key}, past the record layer. */
  byte[] get(Key key) {
    return database.read(tx -> tx.get(key)).orElseThrow();
  }

  @Override
  public User byEmail(String email) {
    return database
        .read(tx -> store.scanBy(tx, User.BY_EMAIL, IndexRange.of(email).limit(1)).findFirst())
        .orElseThrow();
  }

  @Override
  public long covered(String city, int age, int rows) {
    return database.read(
        tx -> {
          long sum = 0;
          Iterator<IndexEntry> entries =
              store.scanIndex(tx, User.BY_CITY_AND_AGE, from(city, age, rows)).iterator();
          while (entries.hasNext()) {
            sum += sum(entries.next());
          }
          return sum;
        });
  }

  private static long sum(IndexEntry entry) {
    String city = (String) Objects.requireNonNull(entry.columns().get(0));
    Number age = (Number) Objects.requireNonNull(entry.columns().get(1));
    return UserTable.sum(city, age.longValue(), entry.primaryKey().getLong(0));
  }

  @Override
  public List<User> range(String city, int age, int rows) {
    return database.read(
        tx -> store.scanBy(tx, User.BY_CITY_AND_AGE, from(city, age, rows)).toList());
  }

  private static IndexRange from(String city, int age, int rows) {
    return IndexRange.of(city).from(age).limit(rows);
  }

  @Override
  public long count(String city) {
    return database.read(tx -> store.count(tx, User.COUNT_BY_CITY, city));
  }

  @Override
  public void close() {
    database.close();
  }
}
