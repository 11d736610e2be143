package dev.tidemark.records.internal.query;

import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.query.TextQuery;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.FieldType.Scalar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;

/** Random values of every type, few enough that two are often equal, and often at the edge. */
public final class AnyValues {
  private static final List<Long> LONGS =
      List.of(0L, 1L, -1L, 127L, -128L, 300L, Long.MAX_VALUE, Long.MIN_VALUE);
  private static final List<Double> DOUBLES =
      List.of(0.0, -0.0, 1.5, -1.5, Double.NaN, Double.MIN_VALUE, Double.NEGATIVE_INFINITY, 1e300);
  private static final List<String> TEXTS =
      List.of("", "a", "ab", "aB%", "a_c\\", "\0", "\uffff", "\ud83d\ude00", "\ue000x", "zürich");

  /** Few words, so that texts share some and repeat some. */
  private static final List<String> WORDS = List.of("a", "ab", "abc", "b", "z\u00fc", "\u6771");

  private static final List<String> BETWEEN = List.of(" ", ", ", "-", "  A! ");

  private final SplittableRandom random;

  public AnyValues(SplittableRandom random) {
    this.random = random;
  }

  private <T> T one(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  public String text() {
    return switch (random.nextInt(8)) {
      case 0, 1 -> one(TEXTS) + one(TEXTS);
      case 2, 3 -> sentence();
      default -> one(TEXTS);
    };
  }

  private String sentence() {
    StringBuilder text = new StringBuilder(word());
    for (int i = random.nextInt(5); i > 0; i--) {
      text.append(one(BETWEEN))
          .append(random.nextBoolean() ? word() : word().toUpperCase(Locale.ROOT));
    }
    return text.toString();
  }

  /** A word as texts have it. */
  String word() {
    return one(WORDS);
  }

  /** What is looked for in texts. */
  public TextQuery textQuery() {
    String words = sentence();
    return switch (random.nextInt(5)) {
      case 0 -> TextQuery.any(words);
      case 1 -> TextQuery.phrase(words);
      case 2 -> TextQuery.prefix(word());
      case 3 -> TextQuery.all(words);
      default -> TextQuery.all(word());
    };
  }

  /** A value of {@code type} as a dynamic record has it. */
  public Object of(FieldType type) {
    return switch (type) {
      case Scalar scalar -> scalar(scalar);
      case FieldType.Constants constants -> one(constants.constants());
      case FieldType.Nested nested -> record(nested.name(), nested.fields());
      case FieldType.ListOf list -> several(list.element());
      case FieldType.SetOf set -> new LinkedHashSet<>(several(set.element()));
      case FieldType.MapOf map -> {
        Map<Object, Object> entries = new LinkedHashMap<>();
        several(map.key()).forEach(key -> entries.put(key, of(map.value())));
        yield entries;
      }
    };
  }

  public DynamicRecord record(String name, List<FieldSpec> fields) {
    Map<Integer, Object> values = new LinkedHashMap<>();
    for (FieldSpec field : fields) {
      if (!field.nullable() || random.nextInt(4) != 0) {
        values.put(field.number(), of(field.type()));
      }
    }
    return DynamicRecord.of(name, fields, values);
  }

  private List<Object> several(FieldType element) {
    List<Object> all = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      all.add(of(element));
    }
    return all;
  }

  private Object scalar(Scalar type) {
    long number = one(LONGS);
    double real = one(DOUBLES);
    return switch (type) {
      case BOOLEAN -> random.nextBoolean();
      case BYTE -> (byte) number;
      case SHORT -> (short) number;
      case INT -> (int) number;
      case LONG -> number;
      case CHAR -> (char) number;
      case FLOAT -> (float) real;
      case DOUBLE -> real;
      case STRING -> text();
      case BYTES -> text().getBytes(StandardCharsets.UTF_8);
      case UUID -> new UUID(number, one(LONGS));
      case BIG_INTEGER -> BigInteger.valueOf(number).multiply(BigInteger.valueOf(one(LONGS)));
      case DECIMAL -> BigDecimal.valueOf(number, random.nextInt(-2, 3));
      case INSTANT -> Instant.ofEpochSecond(number % 100_000_000_000L, Math.abs(number % 1_000));
      case DATE -> LocalDate.ofEpochDay(number % 1_000);
      case DATE_TIME -> LocalDateTime.ofEpochSecond(number % 1_000, 5, ZoneOffset.UTC);
      case DURATION -> Duration.ofSeconds(number, Math.abs(number % 1_000));
    };
  }
}
