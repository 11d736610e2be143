package dev.tidemark.testkit.conformance;

import static dev.tidemark.kv.MutationType.ADD;
import static dev.tidemark.kv.MutationType.SET_VERSIONSTAMPED_KEY;
import static dev.tidemark.kv.MutationType.SET_VERSIONSTAMPED_VALUE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.UnreadableKeyException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.testkit.internal.Concurrently;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Versionstamps and the metadata version. */
abstract class VersionstampConformance extends ConformanceSuite {
  VersionstampConformance(DatabaseConformance engine) {
    super(engine);
  }

  /** {@code before}, twelve bytes for a stamp and its user version, {@code after}, the offset. */
  private static byte[] template(String before, int userVersion, String after) {
    byte[] head = bytes(before);
    byte[] tail = bytes(after);
    ByteBuffer bytes = ByteBuffer.allocate(head.length + 12 + tail.length + 4);
    bytes.put(head);
    bytes.put(Versionstamp.incomplete(userVersion).toByteArray());
    bytes.put(tail);
    bytes.order(ByteOrder.LITTLE_ENDIAN).putInt(head.length);
    return bytes.array();
  }

  private static byte[] withOffset(int size, int offset) {
    return ByteBuffer.allocate(size + 4)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(size, offset)
        .array();
  }

  private static byte[] filled(String before, Versionstamp stamp, int userVersion, String after) {
    byte[] bytes = template(before, userVersion, after);
    System.arraycopy(stamp.toByteArray(), 0, bytes, before.length(), Versionstamp.COMMIT_BYTES);
    return Arrays.copyOf(bytes, bytes.length - 4);
  }

  private static void stampKey(Transaction tx, String before, int userVersion, String value) {
    tx.mutate(SET_VERSIONSTAMPED_KEY, Key.of(template(before, userVersion, "")), bytes(value));
  }

  @Test
  void stampedKeyHoldsTheStampOfItsCommit() {
    try (Transaction tx = db.begin()) {
      tx.mutate(SET_VERSIONSTAMPED_KEY, Key.of(template("log/", 7, "/tail")), bytes("x"));
      tx.commit();
      Key expected = Key.of(filled("log/", tx.versionstamp(), 7, "/tail"));
      assertThat(storedRows(KeyRange.ALL)).containsExactly(new KeyValue(expected, bytes("x")));
    }
  }

  @Test
  void stampedValueHoldsTheStampOfItsCommit() {
    try (Transaction tx = db.begin()) {
      tx.mutate(SET_VERSIONSTAMPED_VALUE, key("a"), template("v/", 7, "/tail"));
      tx.commit();
      assertThat(value(key("a"))).hasValue(filled("v/", tx.versionstamp(), 7, "/tail"));
    }
  }

  @Test
  void stampMayStandAtTheVeryBeginningAndEnd() {
    try (Transaction tx = db.begin()) {
      tx.mutate(SET_VERSIONSTAMPED_VALUE, key("a"), withOffset(10, 0));
      tx.commit();
      byte[] ten = Arrays.copyOf(tx.versionstamp().toByteArray(), Versionstamp.COMMIT_BYTES);
      assertThat(value(key("a"))).hasValue(ten);
    }
  }

  @Test
  void keyMayBeginWithItsStamp() {
    for (String tail : List.of("", "/tail")) {
      try (Transaction tx = db.begin()) {
        tx.mutate(SET_VERSIONSTAMPED_KEY, beginningWithAStamp(tail), bytes("x"));
        tx.commit();
        byte[] stamp = Arrays.copyOf(tx.versionstamp().toByteArray(), Versionstamp.COMMIT_BYTES);
        assertThat(value(Key.of(stamp).append(bytes(tail)))).hasValue(bytes("x"));
      }
    }
    assertThat(storedRows(KeyRange.ALL)).hasSize(2);
  }

  /** A template of zeros for a stamp and {@code tail}. */
  private static Key beginningWithAStamp(String tail) {
    return Key.of(new byte[Versionstamp.COMMIT_BYTES]).append(bytes(tail)).append(new byte[4]);
  }

  @Test
  void everythingAfterTheReadVersionIsUnreadableBesideAKeyThatBeginsWithAStamp() {
    given("a=1 z=3");
    Key before = Key.of(new byte[8]);
    db.run(tx -> tx.set(before, bytes("0")));
    try (Transaction tx = db.begin()) {
      tx.readVersion();
      tx.mutate(SET_VERSIONSTAMPED_KEY, beginningWithAStamp(""), bytes("x"));
      assertFails(UnreadableKeyException.class, 1036, () -> tx.get(key("z")));
      assertFails(UnreadableKeyException.class, 1036, () -> tx.scan(range("b", "c")).list());
      assertFails(UnreadableKeyException.class, 1036, () -> tx.scan(KeyRange.ALL).reverse().list());
    }
    try (Transaction tx = db.begin()) {
      tx.readVersion();
      tx.mutate(SET_VERSIONSTAMPED_KEY, beginningWithAStamp(""), bytes("x"));
      assertThat(text(tx.get(before))).isEqualTo("0");
      tx.clear(KeyRange.of(key("b"), Key.END));
      assertThat(tx.get(key("z"))).isEmpty();
      tx.commit();
    }
    assertThat(storedRows(KeyRange.ALL)).hasSize(3);
    assertThat(value(key("z"))).isEmpty();
  }

  @Test
  void clearOfAllTakesAKeyThatBeginsWithAStampAlong() {
    given("a=1");
    db.run(
        tx -> {
          tx.mutate(SET_VERSIONSTAMPED_KEY, beginningWithAStamp(""), bytes("x"));
          tx.clear(KeyRange.ALL);
        });
    assertThat(storedRows(KeyRange.ALL)).isEmpty();
  }

  @Test
  void keyThatBeginsWithItsStampConflictsWhereItLiesAndNowhereElse() {
    try (Transaction whole = db.begin();
        Transaction part = db.begin()) {
      assertThat(whole.scan(KeyRange.ALL).list()).isEmpty();
      assertThat(part.scan(range("a", "b")).list()).isEmpty();
      write(whole, "c=1");
      write(part, "d=1");
      db.run(tx -> tx.mutate(SET_VERSIONSTAMPED_KEY, beginningWithAStamp(""), bytes("x")));
      assertFails(ConflictException.class, 1020, whole::commit);
      part.commit();
    }
  }

  @Test
  void stampedKeyIsCheckedAsItIsWritten() {
    byte[] ff = withOffset(Versionstamp.COMMIT_BYTES, 0);
    Arrays.fill(ff, 0, Versionstamp.COMMIT_BYTES, (byte) 0xff);
    Key tooLong = Key.of(withOffset(Limits.DEFAULTS.keyBytes() - 3, 0));
    db.run(
        tx ->
            tx.mutate(
                SET_VERSIONSTAMPED_KEY,
                Key.of(withOffset(Limits.DEFAULTS.keyBytes() - 4, 0)),
                bytes("x")));
    try (Transaction tx = db.begin()) {
      assertFails(
          UsageException.class,
          2004,
          () -> tx.mutate(SET_VERSIONSTAMPED_KEY, Key.of(ff), bytes("x")));
      assertFails(
          LimitExceededException.class,
          2102,
          () -> tx.mutate(SET_VERSIONSTAMPED_KEY, tooLong, bytes("x")));
    }
    assertThat(storedRows(KeyRange.ALL)).hasSize(1);
  }

  @Test
  void offsetOfAStampCountsForTheLongestValue() {
    byte[] longest = withOffset(Limits.DEFAULTS.valueBytes() - 4, 0);
    db.run(tx -> tx.mutate(SET_VERSIONSTAMPED_VALUE, key("a"), longest));
    assertThat(value(key("a")).orElseThrow()).hasSize(Limits.DEFAULTS.valueBytes() - 4);
    try (Transaction tx = db.begin()) {
      byte[] tooLong = withOffset(Limits.DEFAULTS.valueBytes() - 3, 0);
      assertFails(
          LimitExceededException.class,
          2103,
          () -> tx.mutate(SET_VERSIONSTAMPED_VALUE, key("a"), tooLong));
    }
  }

  @Test
  void stampIsTheCommitVersionAndANumberWithinIt() {
    try (Transaction tx = db.begin()) {
      write(tx, "a=1");
      tx.commit();
      assertThat(tx.versionstamp().version()).isEqualTo(tx.committedVersion());
      assertThat(tx.versionstamp().userVersion()).isZero();
      assertThat(tx.versionstamp().isComplete()).isTrue();
    }
  }

  @Test
  void stampsOfLaterCommitsAreGreater() {
    for (int i = 0; i < 20; i++) {
      String value = "%02d".formatted(i);
      db.run(tx -> stampKey(tx, "log/", 0, value));
    }
    List<String> order = new ArrayList<>();
    db.read(tx -> tx.scan(KeyRange.ALL).list())
        .forEach(row -> order.add(text(Optional.of(row.value()))));
    assertThat(order).hasSize(20).isSorted();
  }

  @Test
  void userVersionsOrderTheWritesOfOneCommit() {
    db.run(
        tx -> {
          stampKey(tx, "log/", 256, "third");
          stampKey(tx, "log/", 1, "second");
          stampKey(tx, "log/", 0, "first");
        });
    List<KeyValue> rows = db.read(tx -> tx.scan(KeyRange.ALL).list());
    assertThat(rows.stream().map(row -> text(Optional.of(row.value()))))
        .containsExactly("first", "second", "third");
    assertThat(rows.stream().map(row -> row.key().toHex().substring(8, 28)).distinct()).hasSize(1);
  }

  @Test
  void concurrentCommitsGetDifferentStamps() throws Exception {
    Concurrently.Task task =
        () -> {
          for (int i = 0; i < 50; i++) {
            db.run(tx -> stampKey(tx, "log/", 0, "x"));
          }
        };
    Concurrently.run(task, task, task, task);
    assertThat(storedRows(KeyRange.ALL)).hasSize(200);
  }

  @Test
  void stampedWritesNeverConflictWithEachOther() {
    try (Transaction first = db.begin();
        Transaction second = db.begin()) {
      first.readVersion();
      second.readVersion();
      stampKey(first, "log/", 0, "x");
      stampKey(second, "log/", 0, "x");
      first.commit();
      second.commit();
    }
    assertThat(storedRows(KeyRange.ALL)).hasSize(2);
  }

  @Test
  void readerOfALogConflictsWithAnAppend() {
    try (Transaction tx = db.begin()) {
      assertThat(tx.scan(range("log/", "log0")).list()).isEmpty();
      write(tx, "a=1");
      db.run(t -> stampKey(t, "log/", 0, "x"));
      assertFails(ConflictException.class, 1020, tx::commit);
    }
  }

  @Test
  void readerOfAStampedValueConflictsWithItsWriter() {
    try (Transaction tx = db.begin()) {
      tx.get(key("v"));
      write(tx, "a=1");
      db.run(t -> t.mutate(SET_VERSIONSTAMPED_VALUE, key("v"), withOffset(10, 0)));
      assertFails(ConflictException.class, 1020, tx::commit);
    }
  }

  @Test
  void stampedValueIsUnreadableBeforeItsCommit() {
    given("a=1 b=2 c=3");
    try (Transaction tx = db.begin()) {
      tx.mutate(SET_VERSIONSTAMPED_VALUE, key("b"), withOffset(10, 0));
      assertFails(UnreadableKeyException.class, 1036, () -> tx.get(key("b")));
      assertFails(UnreadableKeyException.class, 1036, () -> tx.getAll(List.of(key("b"))));
      assertFails(UnreadableKeyException.class, 1036, () -> tx.snapshot().get(key("b")));
      assertFails(UnreadableKeyException.class, 1036, () -> tx.scan(KeyRange.ALL).list());
      assertFails(UnreadableKeyException.class, 1036, () -> tx.scan(KeyRange.ALL).reverse().list());
      assertThat(text(tx.get(key("a")))).isEqualTo("1");
      assertThat(rows(tx.scan(KeyRange.ALL).limit(1))).isEqualTo("a=1");
      assertThat(rows(tx.scan(KeyRange.ALL).reverse().limit(1))).isEqualTo("c=3");
      assertThat(rows(tx.scan(range("c", "d")))).isEqualTo("c=3");
      assertFails(UnreadableKeyException.class, 1036, tx::commit);
    }
  }

  @Test
  void rangeThatMayHoldAStampedKeyIsUnreadableBeforeItsCommit() {
    given("a=1 z=3");
    try (Transaction tx = db.begin()) {
      stampKey(tx, "log/", 0, "x");
      assertFails(UnreadableKeyException.class, 1036, () -> tx.scan(range("log/", "log0")).list());
      assertFails(UnreadableKeyException.class, 1036, () -> tx.scan(KeyRange.ALL).list());
      assertFails(UnreadableKeyException.class, 1036, () -> tx.scan(KeyRange.ALL).reverse().list());
      assertThat(rows(tx.scan(range("a", "b")))).isEqualTo("a=1");
      assertThat(rows(tx.scan(KeyRange.ALL).limit(1))).isEqualTo("a=1");
      assertThat(rows(tx.scan(range("m", "zz")))).isEqualTo("z=3");
      assertFails(UnreadableKeyException.class, 1036, tx::commit);
    }
  }

  @Test
  void scanThatIsLeftBeforeAStampedKeyDoesNotFailTheCommit() {
    given("a=1 b=2 x=3 z=4");
    try (Transaction tx = db.begin()) {
      stampKey(tx, "log/", 0, "x");
      Iterator<KeyValue> forwards = tx.scan(KeyRange.ALL).iterator();
      assertThat(rows(List.of(forwards.next(), forwards.next()))).isEqualTo("a=1 b=2");
      Iterator<KeyValue> backwards = tx.snapshot().scan(KeyRange.ALL).reverse().iterator();
      assertThat(rows(List.of(backwards.next(), backwards.next()))).isEqualTo("z=4 x=3");
      tx.mutate(SET_VERSIONSTAMPED_VALUE, key("m"), withOffset(10, 0));
      Iterator<KeyValue> behind = tx.scan(range("b", "z")).iterator();
      assertThat(rows(List.of(behind.next()))).isEqualTo("b=2");
      tx.commit();
    }
    assertThat(storedRows(KeyRange.ALL)).hasSize(6);
  }

  @Test
  void scanThatComesToAStampedKeyFailsThereAndNotBefore() {
    given("a=1 b=2 z=4");
    try (Transaction tx = db.begin()) {
      stampKey(tx, "log/", 0, "x");
      Iterator<KeyValue> rows = tx.scan(KeyRange.ALL).iterator();
      assertThat(rows(List.of(rows.next(), rows.next()))).isEqualTo("a=1 b=2");
      assertFails(UnreadableKeyException.class, 1036, rows::hasNext);
      assertFails(UnreadableKeyException.class, 1036, tx::commit);
    }
  }

  @Test
  void transactionWithAFailedReadCannotBeCommitted() {
    given("a=1 b=2");
    try (Transaction tx = db.begin()) {
      write(tx, "a=2");
      tx.mutate(SET_VERSIONSTAMPED_VALUE, key("b"), withOffset(10, 0));
      assertFails(UnreadableKeyException.class, 1036, () -> tx.snapshot().get(key("b")));
      assertFails(UnreadableKeyException.class, 1036, tx::commit);
    }
    assertThat(stored()).isEqualTo("a=1 b=2");
  }

  @Test
  void olderEntriesStayReadableBehindAnAppend() {
    db.run(tx -> stampKey(tx, "log/", 0, "old"));
    try (Transaction tx = db.begin()) {
      tx.readVersion();
      stampKey(tx, "log/", 0, "new");
      assertThat(tx.scan(range("log/", "log0")).first().map(row -> text(Optional.of(row.value()))))
          .hasValue("old");
    }
  }

  @Test
  void whatIsClearedOfAStampedRangeCanBeReadAndHoldsNothing() {
    given("a=1 log/\u0001old=1 z=3");
    Key middle = Key.utf8("log/").append(new byte[] {0x40});
    KeyRange cleared = KeyRange.of(key("log/"), middle);
    try (Transaction tx = db.begin()) {
      stampKey(tx, "log/", 0, "x");
      tx.clear(cleared);
      assertThat(tx.get(key("log/\u0001old"))).isEmpty();
      assertThat(rows(tx.scan(cleared).reverse())).isEmpty();
      assertThat(rows(tx.scan(KeyRange.of(key("a"), middle)))).isEqualTo("a=1");
      tx.commit();
    }
    assertThat(stored()).as("the stamp lies in what was cleared").isEqualTo("a=1 z=3");
    try (Transaction tx = db.begin()) {
      stampKey(tx, "log/", 0, "x");
      tx.clear(cleared);
      assertFails(UnreadableKeyException.class, 1036, () -> tx.get(middle));
      assertFails(UnreadableKeyException.class, 1036, () -> tx.scan(KeyRange.ALL).list());
      assertFails(UnreadableKeyException.class, 1036, () -> tx.scan(KeyRange.ALL).reverse().list());
    }
  }

  @Test
  void rangeIsUnreadableAgainAfterAnotherStampedSet() {
    try (Transaction tx = db.begin()) {
      stampKey(tx, "log/", 0, "x");
      tx.clear(range("log/", "log0"));
      assertThat(rows(tx.scan(range("log/", "log0")))).isEmpty();
      stampKey(tx, "log/", 1, "y");
      assertFails(UnreadableKeyException.class, 1036, () -> tx.scan(range("log/", "log0")).list());
    }
    db.run(
        tx -> {
          stampKey(tx, "log/", 0, "x");
          tx.clear(range("log/", "log0"));
          stampKey(tx, "log/", 1, "y");
        });
    assertThat(storedRows(KeyRange.ALL)).hasSize(1);
  }

  @Test
  void stampedKeyBeatsAnEarlierClearOfItsRange() {
    given("log/old=1");
    db.run(
        tx -> {
          tx.clear(range("log/", "log0"));
          stampKey(tx, "log/", 0, "x");
        });
    assertThat(storedRows(KeyRange.ALL)).hasSize(1);
  }

  @Test
  void laterSetOfAStampedValueWins() {
    db.run(
        tx -> {
          tx.mutate(SET_VERSIONSTAMPED_VALUE, key("a"), withOffset(10, 0));
          tx.set(key("a"), bytes("last"));
        });
    assertThat(stored()).isEqualTo("a=last");
    db.run(
        tx -> {
          tx.set(key("a"), bytes("first"));
          tx.mutate(SET_VERSIONSTAMPED_VALUE, key("a"), withOffset(10, 0));
        });
    assertThat(db.read(tx -> tx.get(key("a"))).orElseThrow()).hasSize(10);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void offsetWithoutRoomForAStampIsRefused(int offset) {
    try (Transaction tx = db.begin()) {
      byte[] operand = withOffset(10, offset);
      assertFails(
          UsageException.class, () -> tx.mutate(SET_VERSIONSTAMPED_VALUE, key("a"), operand));
      assertFails(
          UsageException.class,
          () -> tx.mutate(SET_VERSIONSTAMPED_KEY, Key.of(operand), bytes("x")));
    }
    assertThat(stored()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 4, 13})
  void operandTooShortForAStampIsRefused(int size) {
    try (Transaction tx = db.begin()) {
      byte[] operand = new byte[size];
      assertFails(
          UsageException.class, () -> tx.mutate(SET_VERSIONSTAMPED_VALUE, key("a"), operand));
      assertFails(
          UsageException.class,
          () -> tx.mutate(SET_VERSIONSTAMPED_KEY, Key.of(operand), bytes("x")));
    }
    assertThat(stored()).isEmpty();
  }

  @Test
  void readOnlyTransactionHasNoVersionAndNoStamp() {
    try (Transaction tx = db.begin()) {
      tx.get(key("a"));
      tx.commit();
      assertThat(tx.committedVersion()).isEqualTo(-1);
      assertFails(UsageException.class, tx::versionstamp);
    }
  }

  @Test
  void versionAndStampAreUnknownBeforeTheCommit() {
    try (Transaction tx = db.begin()) {
      write(tx, "a=1");
      assertFails(UsageException.class, tx::committedVersion);
      assertFails(UsageException.class, tx::versionstamp);
    }
  }

  @Test
  void metadataVersionChangesWithEachStampAndIsReadable() {
    // A cluster that was emptied keeps it.
    byte[] last = value(Key.METADATA_VERSION).orElse(new byte[10]);
    for (int i = 0; i < 3; i++) {
      try (Transaction tx = db.begin()) {
        tx.mutate(SET_VERSIONSTAMPED_VALUE, Key.METADATA_VERSION, new byte[14]);
        tx.commit();
        byte[] now = db.read(t -> t.get(Key.METADATA_VERSION)).orElseThrow();
        assertThat(now).isEqualTo(Arrays.copyOf(tx.versionstamp().toByteArray(), 10));
        assertThat(Arrays.compareUnsigned(now, last)).isPositive();
        last = now;
      }
    }
  }

  @Test
  void ownChangeOfTheMetadataVersionIsUnreadable() {
    Optional<byte[]> before = value(Key.METADATA_VERSION);
    try (Transaction tx = db.begin()) {
      tx.mutate(SET_VERSIONSTAMPED_VALUE, Key.METADATA_VERSION, new byte[14]);
      assertFails(UnreadableKeyException.class, 1036, () -> tx.get(Key.METADATA_VERSION));
      assertFails(UnreadableKeyException.class, 1036, tx::commit);
    }
    assertThat(value(Key.METADATA_VERSION).map(Key::wrap)).isEqualTo(before.map(Key::wrap));
  }

  @Test
  void readerOfTheMetadataVersionConflictsWithItsChange() {
    try (Transaction tx = db.begin()) {
      tx.get(Key.METADATA_VERSION);
      write(tx, "a=1");
      db.run(t -> t.mutate(SET_VERSIONSTAMPED_VALUE, Key.METADATA_VERSION, new byte[14]));
      assertFails(ConflictException.class, 1020, tx::commit);
    }
  }

  @Test
  void metadataVersionTakesNoOtherWrite() {
    try (Transaction tx = db.begin()) {
      assertFails(UsageException.class, () -> tx.set(Key.METADATA_VERSION, bytes("x")));
      assertFails(UsageException.class, () -> tx.clear(Key.METADATA_VERSION));
      assertFails(UsageException.class, () -> tx.mutate(ADD, Key.METADATA_VERSION, number(1)));
    }
    db.run(tx -> tx.mutate(SET_VERSIONSTAMPED_VALUE, Key.METADATA_VERSION, new byte[14]));
    db.run(tx -> tx.clear(KeyRange.ALL));
    assertThat(value(Key.METADATA_VERSION)).isPresent();
  }
}
