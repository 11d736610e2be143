package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Records without a Java class. */
class DynamicRecordTest {
  private static final FieldType.Nested ADDRESS =
      new FieldType.Nested(
          "Address", List.of(new FieldSpec(1, "zip", FieldType.Scalar.STRING, true)));
  private static final FieldType.Constants COLOUR =
      new FieldType.Constants("Colour", List.of("RED", "BLUE"));
  private static final TypeSpec SPEC =
      TypeSpec.of(
          "Everything",
          List.of(
              new FieldSpec(1, "long", FieldType.Scalar.LONG, false),
              new FieldSpec(2, "bool", FieldType.Scalar.BOOLEAN, true),
              new FieldSpec(3, "char", FieldType.Scalar.CHAR, true),
              new FieldSpec(4, "float", FieldType.Scalar.FLOAT, true),
              new FieldSpec(5, "double", FieldType.Scalar.DOUBLE, true),
              new FieldSpec(6, "string", FieldType.Scalar.STRING, true),
              new FieldSpec(7, "bytes", FieldType.Scalar.BYTES, true),
              new FieldSpec(8, "uuid", FieldType.Scalar.UUID, true),
              new FieldSpec(9, "big", FieldType.Scalar.BIG_INTEGER, true),
              new FieldSpec(10, "decimal", FieldType.Scalar.DECIMAL, true),
              new FieldSpec(11, "instant", FieldType.Scalar.INSTANT, true),
              new FieldSpec(12, "date", FieldType.Scalar.DATE, true),
              new FieldSpec(13, "time", FieldType.Scalar.DATE_TIME, true),
              new FieldSpec(14, "duration", FieldType.Scalar.DURATION, true),
              new FieldSpec(15, "colour", COLOUR, true),
              new FieldSpec(16, "address", ADDRESS, true),
              new FieldSpec(17, "numbers", new FieldType.ListOf(FieldType.Scalar.INT), false),
              new FieldSpec(18, "words", new FieldType.SetOf(FieldType.Scalar.STRING), false),
              new FieldSpec(
                  19, "map", new FieldType.MapOf(FieldType.Scalar.STRING, ADDRESS), false),
              new FieldSpec(20, "colours", new FieldType.ListOf(COLOUR), false)),
          List.of(1));

  @Test
  void everyTypeOfFieldSurvivesBytes() {
    DynamicRecord address = DynamicRecord.of(ADDRESS).with("zip", "1");
    DynamicRecord record =
        DynamicRecord.of(SPEC)
            .with("long", Long.MIN_VALUE)
            .with("bool", true)
            .with("char", 'ö')
            .with("float", -0.0f)
            .with("double", Double.NaN)
            .with("string", "a\0é\ud83d\ude00")
            .with("bytes", new byte[] {0, -1})
            .with("uuid", new UUID(1, -1))
            .with("big", BigInteger.TEN.pow(40).negate())
            .with("decimal", new BigDecimal("1.500"))
            .with("instant", Instant.EPOCH.minusNanos(1))
            .with("date", LocalDate.of(-1, 1, 1))
            .with("time", LocalDateTime.of(1960, 1, 2, 3, 4, 5, 6))
            .with("duration", Duration.ofNanos(-1))
            .with("colour", "BLUE")
            .with("address", address)
            .with("numbers", List.of(1, -2, 3))
            .with("words", Set.of("x"))
            .with("map", Map.of("home", address))
            .with("colours", List.of("RED", "BLUE", "RED"));

    assertThat(reread(record)).isEqualTo(record);
    assertThat(reread(record).get("decimal")).contains(new BigDecimal("1.500"));
  }

  @Test
  void fieldsThatAreAbsentStayAbsentAndCollectionsEmpty() {
    DynamicRecord record = reread(DynamicRecord.of(SPEC).with("long", 0L));

    assertThat(record.get("long")).contains(0L);
    assertThat(record.get("string")).isEmpty();
    assertThat(record.get("numbers")).contains(List.of());
    assertThat(record.get("map")).contains(Map.of());
  }

  @Test
  void wrongFieldOrTypeIsNamed() {
    DynamicRecord record = DynamicRecord.of(SPEC);

    assertThatThrownBy(() -> record.with("nothing", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'nothing'")
        .hasMessageContaining("decimal");
    assertThatThrownBy(() -> record.with("long", "1"))
        .hasMessageContaining("Everything.long")
        .hasMessageContaining("java.lang.String");
    assertThatThrownBy(() -> record.with("colour", "GREEN")).hasMessageContaining("GREEN");
    assertThatThrownBy(() -> record.with("numbers", List.of("x")))
        .hasMessageContaining("Everything.numbers");
  }

  @Test
  void truncatedBytesAreAnErrorAndNotHalfARecord() {
    RecordCodec<DynamicRecord> codec = DynamicRecord.type(SPEC).codec();
    RecordWriter out = new RecordWriter();
    codec.write(DynamicRecord.of(SPEC).with("long", 5L).with("string", "abcdef"), out);
    byte[] bytes = out.toByteArray();
    for (int length = 1; length < bytes.length; length++) {
      byte[] part = Arrays.copyOf(bytes, length);
      if (length != 2) {
        assertThatThrownBy(() -> codec.read(new RecordReader(part)))
            .as("%s bytes", part.length)
            .isInstanceOf(DamagedRecordException.class);
      }
    }
  }

  private static DynamicRecord reread(DynamicRecord record) {
    RecordCodec<DynamicRecord> codec = DynamicRecord.type(SPEC).codec();
    RecordWriter out = new RecordWriter();
    codec.write(record, out);
    return codec.read(new RecordReader(out.toByteArray()));
  }
}
