package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Watch;
import dev.tidemark.kv.directory.DirectoryLayer;
import dev.tidemark.kv.directory.LayerId;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.changes.ChangeBatch;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.changes.ChangeLogException;
import dev.tidemark.records.changes.ChangePartition;
import dev.tidemark.records.changes.ChangePosition;
import dev.tidemark.records.changes.ChangesExpiredException;
import dev.tidemark.records.changes.DataChange;
import dev.tidemark.records.changes.PartitionBalance;
import dev.tidemark.records.changes.PartitionEnd;
import dev.tidemark.records.changes.StreamGoneException;
import dev.tidemark.records.internal.changes.LogRetention;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reading a change log: partitions, positions, waiting, and what is no longer there. */
class ChangeLogTest {
  private static final int MANY = 1_000;
  private static final ChangeStreamSpec ALL =
      ChangeStreamSpec.of("all").withRetention(Duration.ofHours(1));
  private static final Schema SCHEMA =
      Schema.of(1, List.of(Person.TYPE), List.of()).withStreams(ALL);

  private final ManualTime time = ManualTime.standing();
  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory(o -> o.withTime(time));
  private final RecordSpace space =
      RecordSpace.open(database, SCHEMA, List.of("people"), 0, o -> o);
  private final RecordStore<Person> people = space.store(Person.TYPE);
  private final ChangeLog log = space.changes().log("all");
  private final String first = log.partitions().getFirst().token();

  @AfterEach
  void close() {
    database.close();
  }

  private void save(long... ids) {
    database.run(
        tx -> {
          for (long id : ids) {
            Person before = people.load(tx, id).orElse(Person.of(id, "Oslo", 0));
            people.save(tx, before.withScore(before.score() + 1));
          }
        });
  }

  private ChangeBatch read(String token) {
    return log.read(token, log.earliest(), MANY, 1 << 20);
  }

  private static List<Object> ids(ChangeBatch batch) {
    return batch.changes().stream().map(change -> change.keys().get("id")).toList();
  }

  // ---- positions and batches

  @Test
  void readGoesOnWhereTheLastOneEnded() {
    save(1, 2, 3);
    save(4);
    ChangeBatch some = log.read(first, log.earliest(), 2, 1 << 20);
    assertThat(ids(some)).containsExactly(1L, 2L);
    assertThat(some.caughtUp()).isFalse();
    assertThat(some.position()).isEqualTo(some.changes().getLast().position());

    ChangeBatch rest = log.read(first, some.position(), 2, 1 << 20);
    assertThat(ids(rest)).containsExactly(3L, 4L);
    assertThat(rest.caughtUp()).isTrue();
    assertThat(rest.position()).isGreaterThan(rest.changes().getLast().position());
    assertThat(log.read(first, rest.position(), 2, 1 << 20).changes()).isEmpty();
  }

  @Test
  void batchEndsWithTheChangeThatGoesBeyondItsBytes() {
    save(1, 2, 3);
    ChangeBatch one = log.read(first, log.earliest(), MANY, 1);
    assertThat(ids(one)).containsExactly(1L);
    assertThat(one.caughtUp()).isFalse();
    assertThatThrownBy(() -> log.read(first, log.earliest(), 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nothingComesAtOrBeforeAPositionThatWasCaughtUp() {
    save(1);
    ChangePosition heartbeat = read(first).position();
    save(2);
    List<DataChange> later = log.read(first, heartbeat, MANY, 1 << 20).changes();
    assertThat(later).hasSize(1).allMatch(change -> change.position().compareTo(heartbeat) > 0);
  }

  @Test
  void tickMovesThePositionOfAStoreWithoutChanges() {
    save(1);
    ChangePosition before = read(first).position();
    assertThat(read(first).position()).isEqualTo(before);
    time.advance(Duration.ofSeconds(1));
    try (Watch watch = log.watch()) {
      log.tick();
      assertThat(watch.fired()).isFalse();
    }
    assertThat(read(first).position()).isGreaterThan(before);
  }

  @Test
  void positionsSurviveTheirBytesAndTexts() {
    save(1, 2);
    ChangePosition position = read(first).changes().getLast().position();
    assertThat(ChangePosition.fromBytes(position.toByteArray())).isEqualTo(position);
    assertThat(ChangePosition.parse(position.toString())).isEqualTo(position);
    assertThatThrownBy(() -> ChangePosition.parse("00ff")).hasMessageContaining("28 hexadecimal");
    assertThatThrownBy(() -> ChangePosition.parse("nonsense")).hasMessageContaining("nonsense");
  }

  @Test
  void positionOfATimeIsBeforeTheChangesFromThenOn() {
    save(1);
    time.advance(Duration.ofMinutes(1));
    Instant from = time.instant();
    save(2);
    time.advance(Duration.ofMinutes(1));
    save(3);
    ChangeBatch batch = log.read(first, log.at(from), MANY, 1 << 20);
    assertThat(ids(batch)).containsExactly(2L, 3L);
    assertThat(log.timeOf(batch.changes().getLast().position())).isAfterOrEqualTo(from);
    assertThatThrownBy(() -> log.at(time.instant().plusSeconds(1)))
        .isInstanceOf(ChangeLogException.class);
    assertThat(log.partitionsAt(log.at(time.instant()))).hasSize(1);
  }

  @Test
  void positionsAndTokensOfOthersAreRefused() {
    save(1);
    assertThatThrownBy(
            () -> log.read(first, ChangePosition.behind(Long.MAX_VALUE / 2), MANY, 1 << 20))
        .isInstanceOf(ChangeLogException.class)
        .hasMessageContaining("another store");
    RecordSpace other = RecordSpace.open(database, SCHEMA, Subspace.of("other"));
    String foreign = other.changes().log("all").partitions().getFirst().token();
    assertThatThrownBy(() -> read(foreign))
        .isInstanceOf(ChangeLogException.class)
        .hasMessageContaining("another stream or store");
    assertThatThrownBy(() -> read("rubbish")).hasMessageContaining("'rubbish' is no token");
    assertThatThrownBy(() -> space.changes().log("none")).hasMessageContaining("it has [all]");
  }

  // ---- waiting

  @Test
  void watchFiresWithTheNextChangeSplitAndMerge() {
    save(1);
    try (Watch watch = log.watch()) {
      assertThat(watch.fired()).isFalse();
      save(2);
      assertThat(watch.await(Duration.ofSeconds(30))).isTrue();
    }
    List<ChangePartition> two;
    try (Watch watch = log.watch()) {
      two = log.split(first, "Person", Tuple.of(5L));
      assertThat(watch.await(Duration.ofSeconds(30))).isTrue();
    }
    try (Watch watch = log.watch()) {
      log.merge(two.get(0).token(), two.get(1).token());
      assertThat(watch.await(Duration.ofSeconds(30))).isTrue();
    }
  }

  // ---- splits and merges

  @Test
  void parentEndsExactlyWhereItsChildrenBegin() {
    save(1, 9);
    List<ChangePartition> two = log.split(first, "Person", Tuple.of(5L));
    save(1, 9);

    ChangeBatch parent = read(first);
    PartitionEnd end = parent.end().orElseThrow();
    assertThat(ids(parent)).containsExactly(1L, 9L);
    assertThat(end.position()).isEqualTo(parent.position());
    assertThat(end.children())
        .extracting(PartitionEnd.Child::token)
        .containsExactly(two.get(0).token(), two.get(1).token());
    assertThat(end.children()).allMatch(child -> child.parents().equals(List.of(first)));
    assertThat(two)
        .allMatch(child -> child.start().equals(end.position()))
        .allMatch(child -> child.parents().equals(List.of(first)))
        .allMatch(ChangePartition::isActive);
    assertThat(ids(read(two.get(0).token()))).containsExactly(1L);
    assertThat(ids(read(two.get(1).token()))).containsExactly(9L);
    assertThat(two.get(0).end()).contains(new ChangePartition.Bound("Person", Tuple.of(5L)));
    assertThat(two.get(1).begin()).isEqualTo(two.get(0).end());
    ChangePartition over = log.partitions().getFirst();
    assertThat(over.ended()).contains(end.position());
    assertThat(over.children()).containsExactly(two.get(0).token(), two.get(1).token());
  }

  @Test
  void mergeIsToldByBothParents() {
    List<ChangePartition> two = log.split(first, "Person", Tuple.of(5L));
    save(1, 9);
    ChangePartition one = log.merge(two.get(1).token(), two.get(0).token());
    save(1, 9);

    List<String> parents = two.stream().map(ChangePartition::token).toList();
    for (String parent : parents) {
      ChangeBatch batch = read(parent);
      assertThat(batch.changes()).hasSize(1);
      assertThat(batch.end().orElseThrow().children())
          .containsExactly(new PartitionEnd.Child(one.token(), parents));
      assertThat(batch.position()).isEqualTo(one.start());
    }
    assertThat(one.parents()).isEqualTo(parents);
    assertThat(one.begin()).isEmpty();
    assertThat(one.end()).isEmpty();
    assertThat(ids(read(one.token()))).containsExactly(1L, 9L);
  }

  @Test
  void whoAsksAtTheEndOrBehindItIsToldOfTheEndAgain() {
    save(1);
    log.split(first, "Person", Tuple.of(5L));
    PartitionEnd end = read(first).end().orElseThrow();
    save(2);
    assertThat(log.read(first, end.position(), 1, 1).end()).contains(end);
    assertThat(log.read(first, log.now(), 1, 1).end()).contains(end);
    assertThat(log.read(first, log.now(), 1, 1).position()).isEqualTo(end.position());
  }

  @Test
  void partitionsAtAPositionHaveEveryRecordOnce() {
    save(1);
    ChangePosition before = log.now();
    List<ChangePartition> two = log.split(first, "Person", Tuple.of(5L));
    assertThat(log.partitionsAt(before)).extracting(ChangePartition::token).containsExactly(first);
    assertThat(log.partitionsAt(two.get(0).start())).isEqualTo(two);
    assertThat(log.partitionsAt(log.now())).isEqualTo(two);
    assertThatThrownBy(() -> log.partitionsAt(ChangePosition.START))
        .isInstanceOf(ChangesExpiredException.class);
  }

  @Test
  void splitAndSaveNeverMissEachOther() {
    save(1);
    List<ChangePartition> two;
    try (Transaction tx = database.begin()) {
      people.save(tx, Person.of(7, "Oslo", 1));
      two = log.split(first, "Person", Tuple.of(5L));
      assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    }
    save(7);
    assertThat(ids(read(first))).containsExactly(1L);
    assertThat(ids(read(two.get(1).token()))).containsExactly(7L);
  }

  @Test
  void saveOfAnotherPartitionDoesNotNoticeASplit() {
    List<ChangePartition> two = log.split(first, "Person", Tuple.of(5L));
    save(1, 9);
    try (Transaction tx = database.begin()) {
      people.save(tx, Person.of(2, "Oslo", 1));
      log.split(two.get(1).token(), "Person", Tuple.of(8L));
      tx.commit();
    }
    assertThat(ids(read(two.get(0).token()))).containsExactly(1L, 2L);
  }

  @Test
  void impossibleSplitsAndMergesAreRefused() {
    List<ChangePartition> two = log.split(first, "Person", Tuple.of(5L));
    String left = two.get(0).token();
    List<ChangePartition> right = log.split(two.get(1).token(), "Person", Tuple.of(8L));
    assertThatThrownBy(() -> log.split(first, "Person", Tuple.of(3L)))
        .hasMessageContaining("has ended");
    assertThatThrownBy(() -> log.split(left, "Person", Tuple.of(6L)))
        .hasMessageContaining("cannot be split");
    assertThatThrownBy(() -> log.split(right.get(0).token(), "Person", Tuple.of(5L)))
        .hasMessageContaining("cannot be split");
    assertThatThrownBy(() -> log.split(left, "Book", Tuple.of(6L)))
        .hasMessageContaining("no type Book");
    assertThatThrownBy(() -> log.merge(left, right.get(1).token()))
        .hasMessageContaining("side by side");
    assertThatThrownBy(() -> log.merge(left, left)).hasMessageContaining("side by side");
  }

  // ---- balance

  private static final PartitionBalance BALANCE =
      PartitionBalance.DEFAULTS.withSplitAbove(5).withCoolDown(Duration.ofSeconds(30));

  @Test
  void partitionWithManyChangesIsSplitInTheMiddleOfThem() {
    time.advance(Duration.ofMinutes(1));
    for (int i = 0; i < 100; i++) {
      save(i % 10);
    }
    List<ChangePartition> two = log.balance(BALANCE);
    assertThat(two.get(1).begin()).contains(new ChangePartition.Bound("Person", Tuple.of(5L)));
    for (int i = 0; i < 100; i++) {
      save(i % 10);
    }
    assertThat(log.balance(BALANCE)).as("they have just begun").isEmpty();
    time.advance(Duration.ofMinutes(1));
    assertThat(log.balance(BALANCE)).as("nothing changes any more").isEmpty();
    assertThat(log.balance(BALANCE.withMergeBelow(2))).hasSize(1);
  }

  @Test
  void singleHotRecordIsNotSplit() {
    time.advance(Duration.ofMinutes(1));
    for (int i = 0; i < 100; i++) {
      save(3);
    }
    assertThat(log.balance(BALANCE)).isEmpty();
    assertThat(log.balance(BALANCE.withSplitAbove(1_000))).isEmpty();
  }

  @Test
  void thereAreNotMorePartitionsThanWanted() {
    time.advance(Duration.ofMinutes(1));
    for (int i = 0; i < 100; i++) {
      save(i);
    }
    assertThat(log.balance(BALANCE.withPartitionsMax(1))).isEmpty();
    assertThat(log.balance(BALANCE.withPartitionsMax(2))).hasSize(2);
  }

  // ---- retention

  private void trim() {
    new LogRetention(Internals.of(space)).trim();
  }

  @Test
  void changesAreRemovedAfterTheirRetentionAndTheGapIsTold() {
    save(1);
    ChangePosition old = read(first).changes().getFirst().position();
    ChangePosition beginning = log.earliest();
    time.advance(Duration.ofMinutes(40));
    save(2);
    trim();
    assertThat(ids(read(first))).containsExactly(1L, 2L);

    time.advance(Duration.ofMinutes(40));
    save(3);
    trim();
    assertThat(ids(read(first))).containsExactly(2L, 3L);
    assertThat(log.earliest()).isGreaterThan(old);
    assertThatThrownBy(() -> log.read(first, beginning, MANY, 1 << 20))
        .isInstanceOfSatisfying(
            ChangesExpiredException.class,
            gap -> {
              assertThat(gap.asked()).isEqualTo(beginning);
              assertThat(gap.earliest()).isEqualTo(log.earliest());
            });
    assertThatThrownBy(() -> log.partitionsAt(beginning))
        .isInstanceOf(ChangesExpiredException.class);
  }

  @Test
  void endedPartitionGoesWithItsLastChange() {
    save(1);
    List<ChangePartition> two = log.split(first, "Person", Tuple.of(5L));
    time.advance(Duration.ofMinutes(40));
    save(1, 9);
    time.advance(Duration.ofMinutes(40));
    save(1);
    trim();
    assertThat(log.partitions())
        .extracting(ChangePartition::token)
        .containsExactly(two.get(0).token(), two.get(1).token());
    assertThat(ids(read(two.get(0).token()))).containsExactly(1L, 1L);
    assertThatThrownBy(() -> log.read(first, two.get(0).start(), MANY, 1 << 20))
        .isInstanceOf(ChangesExpiredException.class);
    assertThat(log.partitionsAt(log.earliest())).hasSize(2);
  }

  @Test
  void readerPinsChangesUntilItIsSilentForTooLong() {
    save(1);
    save(2);
    ChangePosition stands = read(first).changes().getFirst().position();
    log.pin("reader", stands, Duration.ofHours(3));
    time.advance(Duration.ofHours(2));
    save(3);
    trim();
    assertThat(ids(log.read(first, stands, MANY, 1 << 20))).containsExactly(2L, 3L);

    time.advance(Duration.ofHours(2));
    save(4);
    trim();
    assertThatThrownBy(() -> log.read(first, stands, MANY, 1 << 20))
        .isInstanceOf(ChangesExpiredException.class);
    log.pin("other", log.now(), Duration.ofHours(3));
    log.unpin("other");
    assertThatThrownBy(() -> log.pin("other", log.now(), Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  // ---- what is gone

  @Test
  void removedDirectoryIsAStoreThatIsGoneAndNoOrderlyEnd() {
    save(1);
    ChangePosition stands = read(first).position();
    DirectoryLayer.DEFAULT.remove(database, "people");
    assertThatThrownBy(() -> log.read(first, stands, MANY, 1 << 20))
        .isInstanceOf(StreamGoneException.class)
        .hasMessageContaining("is gone");
    assertThatThrownBy(log::partitions).isInstanceOf(StreamGoneException.class);
    assertThatThrownBy(log::watch).isInstanceOf(StreamGoneException.class);
    assertThatThrownBy(log::tick).isInstanceOf(StreamGoneException.class);
    assertThatThrownBy(log::now).isInstanceOf(StreamGoneException.class);
    assertThatThrownBy(() -> log.pin("r", stands, Duration.ofHours(1)))
        .isInstanceOf(StreamGoneException.class);
    assertThatThrownBy(() -> space.changes().list()).isInstanceOf(StreamGoneException.class);
    assertThatThrownBy(() -> save(2)).hasMessageContaining("is gone");
  }

  @Test
  void anotherStoreAtTheSamePlaceIsNotTakenForIt() {
    Subspace place = Subspace.of("here");
    RecordSpace old = RecordSpace.open(database, SCHEMA, place);
    ChangeLog oldLog = old.changes().log("all");
    String token = oldLog.partitions().getFirst().token();
    database.run(tx -> tx.clear(place.prefixRange()));
    RecordSpace.open(database, SCHEMA, place);
    assertThatThrownBy(() -> oldLog.read(token, oldLog.now(), 1, 1))
        .isInstanceOf(StreamGoneException.class)
        .hasMessageContaining("store at");
  }

  @Test
  void removedStreamIsGone() {
    save(1);
    space.changes().remove("all");
    assertThatThrownBy(() -> read(first))
        .isInstanceOf(StreamGoneException.class)
        .hasMessageContaining("The change stream 'all'");
    List<KeyValue> left =
        database.read(
            tx ->
                tx.scan(
                        DirectoryLayer.DEFAULT
                            .open(database, LayerId.NONE, "people")
                            .subspace()
                            .sub(12)
                            .prefixRange())
                    .list());
    assertThat(left).isEmpty();
  }
}
