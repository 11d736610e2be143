package dev.tidemark.records.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.records.codec.RecordCodec;
import dev.tidemark.records.codec.RecordReader;
import dev.tidemark.records.codec.RecordWriter;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.testkit.junit.SeedSource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Generated codecs, and protobuf's own library as their judge. */
class CodecTest {
  private static final User USER =
      new User(
          -7,
          "ada@example.com",
          "Zürich",
          36,
          User.Status.CLOSED,
          Instant.parse("1969-07-20T20:17:40.5Z"),
          new User.Address("Main", null, "CH"),
          List.of("a", "b"),
          Map.of("x", 1),
          Optional.of("Countess"),
          null,
          true);

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 50)
  void randomRecordOfAllTypesComesBackEqual(long seed) {
    Everything before = new RandomRecords(seed).everything();

    Everything after = decode(Everything_.TYPE, encode(Everything_.TYPE, before));

    assertThat(withoutBytes(after)).isEqualTo(withoutBytes(before));
    assertThat(after.maps().bytes().keySet()).isEqualTo(before.maps().bytes().keySet());
    assertThat(encode(Everything_.TYPE, after)).isEqualTo(encode(Everything_.TYPE, before));
  }

  /** Arrays are equal only to themselves; that they come back, the bytes of the record show. */
  private static Everything withoutBytes(Everything record) {
    Everything.Maps maps = record.maps();
    return Everything_.TYPE
        .codec()
        .with(
            record,
            Everything_.MAPS.number(),
            new Everything.Maps(
                maps.strings(),
                maps.numbers(),
                maps.days(),
                maps.points(),
                maps.flags(),
                Map.of(),
                maps.times()));
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 50)
  void bytesAreThoseThatProtobufWrites(long seed) throws Exception {
    byte[] ours = encode(Everything_.TYPE, new RandomRecords(seed).everything());

    DynamicMessage theirs =
        DynamicMessage.parseFrom(ProtobufTypes.of(Everything_.TYPE.spec()), ours);

    assertThat(theirs.getUnknownFields().asMap()).isEmpty();
    assertThat(theirs.toByteArray()).isEqualTo(ours);
  }

  @Test
  void recordThatProtobufBuiltIsRead() throws Exception {
    Descriptor type = ProtobufTypes.of(User_.TYPE.spec());
    Descriptor address = type.findFieldByName("address").getMessageType();
    Descriptor label = type.findFieldByName("labels").getMessageType();
    Descriptor time = type.findFieldByName("createdAt").getMessageType();
    DynamicMessage theirs =
        DynamicMessage.newBuilder(type)
            .setField(type.findFieldByName("id"), -7L)
            .setField(type.findFieldByName("email"), "ada@example.com")
            .setField(type.findFieldByName("city"), "Zürich")
            .setField(type.findFieldByName("age"), 36)
            .setField(
                type.findFieldByName("status"),
                type.findFieldByName("status").getEnumType().findValueByNumber(1))
            .setField(
                type.findFieldByName("createdAt"),
                DynamicMessage.newBuilder(time)
                    .setField(time.findFieldByNumber(1), USER_CREATED_SECONDS)
                    .setField(time.findFieldByNumber(2), 500_000_000)
                    .build())
            .setField(
                type.findFieldByName("address"),
                DynamicMessage.newBuilder(address)
                    .setField(address.findFieldByName("street"), "Main")
                    .setField(address.findFieldByName("country"), "CH")
                    .build())
            .addRepeatedField(type.findFieldByName("tags"), "a")
            .addRepeatedField(type.findFieldByName("tags"), "b")
            .addRepeatedField(
                type.findFieldByName("labels"),
                DynamicMessage.newBuilder(label)
                    .setField(label.findFieldByName("key"), "x")
                    .setField(label.findFieldByName("value"), 1)
                    .build())
            .setField(type.findFieldByName("nickname"), "Countess")
            .build();

    assertThat(encode(User_.TYPE, USER)).isEqualTo(theirs.toByteArray());
    assertThat(decode(User_.TYPE, theirs.toByteArray())).isEqualTo(notSelected(USER));
  }

  private static final long USER_CREATED_SECONDS =
      Instant.parse("1969-07-20T20:17:40Z").getEpochSecond();

  private static User notSelected(User user) {
    return new User(
        user.id(),
        user.email(),
        user.town(),
        user.age(),
        user.status(),
        user.createdAt(),
        user.address(),
        user.tags(),
        user.labels(),
        user.nickname(),
        user.lastSeen(),
        false);
  }

  @Test
  void transientComponentIsNotStored() {
    assertThat(decode(User_.TYPE, encode(User_.TYPE, USER)).selected()).isFalse();
  }

  @Test
  void olderRecordHasDefaultsForFieldsThatItLacks() {
    RecordWriter older = new RecordWriter();
    older.sint(1, 5);

    User user = decode(User_.TYPE, older.toByteArray());

    assertThat(user.age()).isEqualTo(18);
    assertThat(user.status()).isEqualTo(User.Status.OPEN);
    assertThat(user.createdAt()).isNull();
    assertThat(user.tags()).isEmpty();
    assertThat(user.nickname()).isEmpty();
  }

  @Test
  void defaultsAreFilledInWhereThereIsNull() {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    RecordCodec<User> codec = User_.TYPE.codec();
    User bare = codec.with(User.of(1, null, null, 3), 7, new User.Address("Main", "8000", null));

    User filled = codec.withDefaults(bare, now);

    assertThat(filled.status()).isEqualTo(User.Status.OPEN);
    assertThat(filled.createdAt()).isEqualTo(now);
    assertThat(filled.address()).isEqualTo(new User.Address("Main", "8000", "CH"));
    assertThat(filled.age()).isEqualTo(3);
    assertThat(codec.withDefaults(filled, now.plusSeconds(1))).isSameAs(filled);
  }

  @Test
  void everyFieldIsAnsweredAndReplacedByItsNumber() {
    RecordCodec<User> codec = User_.TYPE.codec();

    assertThat(codec.get(USER, 3)).isEqualTo("Zürich");
    assertThat(codec.get(USER, 10)).isEqualTo("Countess");
    assertThat(codec.get(codec.with(USER, 10, null), 10)).isNull();
    assertThat(codec.with(USER, 4, 37).age()).isEqualTo(37);
    assertThat(codec.with(USER, 8, List.of("c")).tags()).containsExactly("c");
    assertThatThrownBy(() -> codec.get(USER, 12)).hasMessage("User has no field 12");
    assertThatThrownBy(() -> codec.with(USER, 12, null)).hasMessage("User has no field 12");
  }

  @Test
  void readerSaysWhetherThereWereFieldsThatItDoesNotKnow() {
    RecordWriter newer = new RecordWriter();
    newer.string(99, "new");
    newer.sint(1, 5);
    RecordReader in = new RecordReader(newer.toByteArray());

    assertThat(User_.TYPE.codec().read(in).id()).isEqualTo(5);
    assertThat(in.skippedAny()).isTrue();
  }

  @Test
  void constantOfANewerProgramIsNotTakenForAnother() {
    RecordWriter newer = new RecordWriter();
    newer.uint(5, 2);

    assertThatThrownBy(() -> decode(User_.TYPE, newer.toByteArray()))
        .isInstanceOf(DamagedRecordException.class)
        .hasMessageContaining("holds constant 2 of")
        .hasMessageContaining("User$Status, which has 2");
  }

  @Test
  void elementsOfAListMayStandAloneOrTogether() throws Exception {
    Descriptor type = ProtobufTypes.of(Everything_.TYPE.spec());
    RecordWriter alone = new RecordWriter();
    int end = alone.size();
    alone.sint(2, 300);
    alone.sint(2, -1);
    alone.length(6, end);
    alone.bytes(2, new byte[16]);
    alone.string(1, "n");

    Everything read = decode(Everything_.TYPE, alone.toByteArray());

    assertThat(read.lists().numbers()).containsExactly(-1, 300);
    assertThat(read.id()).isEqualTo(new UUID(0, 0));
    assertThat(
            DynamicMessage.parseFrom(type, alone.toByteArray())
                .getField(type.findFieldByName("id")))
        .isEqualTo(ByteString.copyFrom(new byte[16]));
  }

  static <R> byte[] encode(RecordType<R> type, R record) {
    RecordWriter out = new RecordWriter();
    type.codec().write(record, out);
    return out.toByteArray();
  }

  static <R> R decode(RecordType<R> type, byte[] bytes) {
    return type.codec().read(new RecordReader(bytes));
  }
}
