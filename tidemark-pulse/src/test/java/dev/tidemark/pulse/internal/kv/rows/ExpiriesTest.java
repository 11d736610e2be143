package dev.tidemark.pulse.internal.kv.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Codec;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Streams and maps whose time is over leave nothing behind, though nobody uses them again. */
class ExpiriesTest {
  private static final Subspace SPACE = Subspace.of("pulse");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final byte[] PAYLOAD = {1};

  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  private static Expiries at(Database db, Duration later) {
    Instant then = db.time().instant().plus(later);
    return new Expiries(db, SPACE, () -> then);
  }

  private static int rows(Database db, Object... where) {
    return db.read(tx -> tx.scan(SPACE.sub(where).prefixRange()).list()).size();
  }

  private static EventStream stream(Pulse pulse, String name) {
    return pulse.stream(name, o -> o.withTimeToLive(HOUR));
  }

  @Test
  void expiredStreamsAndMapsAreCleared(Database db) {
    try (Pulse pulse = Pulse.on(db, SPACE);
        ReplicatedMap<String, String> map =
            pulse.map("m", Codec.TEXT, Codec.TEXT, o -> o.withTimeToLive(HOUR))) {
      stream(pulse, "s").add("e", PAYLOAD);
      map.set("a", "1");
      db.run(tx -> stream(pulse, "joined").add(tx, "e", "", PAYLOAD));
    }
    assertThat(at(db, HOUR.dividedBy(2)).sweep(10)).isZero();
    assertThat(rows(db, "s", "s")).isPositive();

    assertThat(at(db, HOUR.multipliedBy(2)).sweep(10)).isEqualTo(3);

    assertThat(rows(db, "s")).isZero();
    assertThat(rows(db, "m")).isZero();
    assertThat(rows(db, "e")).isZero();
  }

  @Test
  void whatIsOfAnUnknownKindIsLookedAtLater(Database db) {
    db.run(tx -> at(db, HOUR).note(tx, "unknown", "u", db.time().instant()));

    assertThat(at(db, HOUR).sweep(10)).isOne();
    assertThat(at(db, HOUR).sweep(10)).isZero();
    assertThat(at(db, HOUR.multipliedBy(3)).sweep(10)).isOne();
    assertThat(rows(db, "e")).isOne();
  }

  @Test
  void whatHasNoTimeToLiveStays(Database db) {
    try (Pulse pulse = Pulse.on(db, SPACE);
        ReplicatedMap<String, String> map = pulse.map("m")) {
      pulse.stream("s").add("e", PAYLOAD);
      map.set("a", "1");
    }

    assertThat(at(db, HOUR.multipliedBy(2)).sweep(10)).isZero();
    assertThat(rows(db, "s", "s")).isPositive();
    assertThat(rows(db, "m", "m")).isPositive();
  }

  @Test
  void streamWhoseDeadlineHasMovedIsLookedAtAgainThen(Database db) {
    try (Pulse pulse = Pulse.on(db, SPACE)) {
      stream(pulse, "s").add("e", PAYLOAD);
      pulse.stream("s", o -> o.withSlidingTimeToLive(HOUR.multipliedBy(3))).add("e", PAYLOAD);

      assertThat(at(db, HOUR.multipliedBy(2)).sweep(10)).isOne();
      assertThat(pulse.stream("s").length()).isEqualTo(2);
    }
    assertThat(rows(db, "e")).isOne();

    assertThat(at(db, HOUR.multipliedBy(4)).sweep(10)).isOne();
    assertThat(rows(db, "s")).isZero();
  }

  @Test
  void streamThatGetsItsTimeToLiveLateIsCleared(Database db) {
    try (Pulse pulse = Pulse.on(db, SPACE);
        ReplicatedMap<String, String> map = pulse.map("m");
        ReplicatedMap<String, String> mortal =
            pulse.map("m", Codec.TEXT, Codec.TEXT, o -> o.withTimeToLive(HOUR))) {
      pulse.stream("s").add("e", PAYLOAD);
      stream(pulse, "s").add("e", PAYLOAD);
      map.set("a", "1");
      mortal.set("a", "2");
      mortal.set("b", "2");
    }
    assertThat(rows(db, "e")).isEqualTo(2);

    assertThat(at(db, HOUR.multipliedBy(2)).sweep(10)).isEqualTo(2);
    assertThat(rows(db, "s")).isZero();
    assertThat(rows(db, "m")).isZero();
  }

  @Test
  void oneSweepLooksAtNoMoreThanItsLimit(Database db) {
    try (Pulse pulse = Pulse.on(db, SPACE)) {
      for (int i = 0; i < 5; i++) {
        stream(pulse, "s" + i).add("e", PAYLOAD);
      }
    }
    Expiries later = at(db, HOUR.multipliedBy(2));

    assertThat(later.sweep(2)).isEqualTo(2);
    assertThat(rows(db, "e")).isEqualTo(3);
    assertThat(later.sweep(10)).isEqualTo(3);
    assertThat(rows(db, "s")).isZero();
  }

  @Test
  void destroyedStreamThatBeganAgainIsKept(Database db) {
    try (Pulse pulse = Pulse.on(db, SPACE)) {
      stream(pulse, "s").add("e", PAYLOAD);
      pulse.stream("s").destroy();
      pulse.stream("s").add("e", PAYLOAD);

      assertThat(at(db, HOUR.multipliedBy(2)).sweep(10)).isOne();
      assertThat(pulse.stream("s").length()).isOne();
    }
    assertThat(rows(db, "e")).isZero();
  }
}
