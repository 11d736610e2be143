package dev.tidemark.testkit.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext.TransactionAction;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** What the parts of the conformance suite share: an open database and a way to write tests. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
abstract class ConformanceSuite {
  /** Longest wait for something that should happen at once; only a failing test waits this long. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Key RESERVED = Key.of((byte) 0xfd);

  final DatabaseConformance engine;
  Database db;

  ConformanceSuite(DatabaseConformance engine) {
    this.engine = engine;
  }

  @BeforeEach
  void openDatabase() {
    db = engine.open(Limits.DEFAULTS, TimeSource.system());
  }

  @AfterEach
  void closeDatabase() {
    if (db != null) { // It is where an assumption about the engine does not hold.
      db.close();
    }
  }

  // ---- keys and values

  static Key key(String text) {
    return Key.utf8(text);
  }

  static KeyRange range(String begin, String end) {
    return KeyRange.of(key(begin), key(end));
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  static byte[] number(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  static String text(Optional<byte[]> value) {
    return value.map(bytes -> new String(bytes, UTF_8)).orElse("absent");
  }

  /** {@code a=1 b=2}. */
  static String rows(Scan scan) {
    return rows(scan.list());
  }

  static String rows(Iterable<KeyValue> rows) {
    List<String> texts = new ArrayList<>();
    for (KeyValue row : rows) {
      texts.add(name(row.key()) + "=" + new String(row.value(), UTF_8));
    }
    return String.join(" ", texts);
  }

  static String name(Key key) {
    return key.equals(Key.END) ? "END" : new String(key.toByteArray(), UTF_8);
  }

  // ---- the database

  /** Stores {@code a=1 b=2}. */
  void given(String contents) {
    db.run(tx -> write(tx, contents));
  }

  static void write(Transaction tx, String contents) {
    for (String row : contents.split(" ", -1)) {
      int equals = row.indexOf('=');
      tx.set(key(row.substring(0, equals)), bytes(row.substring(equals + 1)));
    }
  }

  String stored(String key) {
    return db.read(tx -> text(tx.get(key(key))));
  }

  /** All rows but Tidemark's own, which are ids of commits. */
  String stored() {
    return db.read(tx -> rows(tx.scan(KeyRange.of(Key.EMPTY, RESERVED))));
  }

  String readText(Function<ReadTransaction, String> body) {
    return db.read(body::apply);
  }

  Optional<byte[]> value(Key key) {
    return db.read(tx -> tx.get(key));
  }

  Map<Key, byte[]> values(List<Key> keys) {
    return db.read(tx -> tx.getAll(keys));
  }

  List<KeyValue> storedRows(KeyRange range) {
    return db.read(tx -> tx.scan(range).list());
  }

  /** Commits {@code action} at once, in a transaction without retries. */
  <X extends Exception> long commit(TransactionAction<X> action) throws X {
    try (Transaction tx = db.begin()) {
      action.accept(tx);
      tx.commit();
      return tx.committedVersion();
    }
  }

  // ---- failures

  static DatabaseException failure(ThrowingCallable call) {
    return catchThrowableOfType(DatabaseException.class, call);
  }

  static void assertFails(
      Class<? extends DatabaseException> type, int code, ThrowingCallable call) {
    DatabaseException failure = failure(call);
    assertThat(failure).as("the exception thrown").isInstanceOf(type);
    assertThat(failure.code()).as("code of " + failure).isEqualTo(code);
  }

  static void assertFails(Class<? extends DatabaseException> type, ThrowingCallable call) {
    assertThat(failure(call)).as("the exception thrown").isInstanceOf(type);
  }
}
