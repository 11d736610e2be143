package dev.tidemark.records.processor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Records with values that are often at the edge of what is possible. */
final class RandomRecords {
  private final SplittableRandom random;

  RandomRecords(long seed) {
    this.random = new SplittableRandom(seed);
  }

  Everything everything() {
    return new Everything(
        string(),
        uuid(),
        new Everything.Primitives(
            random.nextBoolean(),
            (byte) number(),
            (short) number(),
            (int) number(),
            number(),
            (char) random.nextInt(0x10000),
            real32(),
            real()),
        new Everything.Boxes(
            orNull(random::nextBoolean),
            orNull(() -> (byte) number()),
            orNull(() -> (short) number()),
            orNull(() -> (int) number()),
            orNull(this::number),
            orNull(() -> (char) random.nextInt(0x10000)),
            orNull(this::real32),
            orNull(this::real)),
        orNull(this::values),
        new Everything.Lists(
            list(this::string),
            list(() -> (int) number()),
            list(this::real),
            list(random::nextBoolean),
            list(() -> (char) random.nextInt(0x10000)),
            list(this::day),
            list(this::date),
            list(this::instant),
            list(this::values)),
        new Everything.Sets(set(this::string), set(this::number), set(this::day), set(this::point)),
        new Everything.Maps(
            map(this::string, this::string),
            map(() -> (int) number(), this::real),
            map(this::day, this::uuid),
            map(this::uuid, this::point),
            map(random::nextBoolean, this::day),
            map(() -> (char) random.nextInt(0x10000), () -> string().getBytes(UTF_8)),
            map(this::number, this::time)),
        new Everything.Options(
            Optional.ofNullable(orNull(this::string)),
            Optional.ofNullable(orNull(() -> (int) number())),
            Optional.ofNullable(orNull(this::point)),
            Optional.ofNullable(orNull(this::day))));
  }

  private Everything.Values values() {
    return new Everything.Values(
        orNull(this::string),
        orNull(this::uuid),
        orNull(this::day),
        orNull(() -> BigInteger.valueOf(number()).pow(1 + random.nextInt(5))),
        orNull(() -> new BigDecimal(BigInteger.valueOf(number()), random.nextInt(-50, 50))),
        orNull(this::instant),
        orNull(this::date),
        orNull(this::time),
        orNull(
            () ->
                pick(
                    Duration.ZERO,
                    Duration.ofNanos(-1),
                    Duration.ofSeconds(Long.MIN_VALUE),
                    Duration.ofNanos(number()))));
  }

  private Everything.Point point() {
    return new Everything.Point((int) number(), (int) number());
  }

  private long number() {
    return pick(
        0L, 1L, -1L, 63L, -64L, Long.MAX_VALUE, Long.MIN_VALUE, random.nextLong(), 1L << 40);
  }

  private double real() {
    return pick(
        0.0,
        -0.0,
        Double.NaN,
        Double.NEGATIVE_INFINITY,
        Double.MIN_VALUE,
        Double.MAX_VALUE,
        random.nextDouble());
  }

  private float real32() {
    return pick(0f, -0f, Float.NaN, Float.POSITIVE_INFINITY, Float.MIN_VALUE, (float) real());
  }

  private String string() {
    return pick("", "a", "naïve", "日本", "\0", "😀", "x".repeat(random.nextInt(20_000)));
  }

  private UUID uuid() {
    return new UUID(number(), number());
  }

  private DayOfWeek day() {
    return DayOfWeek.of(1 + random.nextInt(7));
  }

  private Instant instant() {
    return pick(
        Instant.EPOCH,
        Instant.MIN,
        Instant.MAX,
        Instant.parse("1969-12-31T23:59:59.999999999Z"),
        Instant.parse("0001-01-01T00:00:00Z"),
        Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)));
  }

  private LocalDate date() {
    return pick(
        LocalDate.EPOCH, LocalDate.MIN, LocalDate.MAX, LocalDate.ofEpochDay(random.nextInt()));
  }

  private LocalDateTime time() {
    return pick(LocalDateTime.MIN, LocalDateTime.MAX, date().atTime(random.nextInt(24), 0, 1, 9));
  }

  @SafeVarargs
  private <T> T pick(T... values) {
    return values[random.nextInt(values.length)];
  }

  private <T> @Nullable T orNull(Supplier<T> value) {
    return random.nextInt(4) == 0 ? null : value.get();
  }

  private <T> List<T> list(Supplier<T> element) {
    List<T> list = new ArrayList<>();
    int size = random.nextInt(5);
    for (int i = 0; i < size; i++) {
      list.add(element.get());
    }
    return list;
  }

  private <T> Set<T> set(Supplier<T> element) {
    return new LinkedHashSet<>(list(element));
  }

  private <K, V> Map<K, V> map(Supplier<K> key, Supplier<V> value) {
    Map<K, V> map = new LinkedHashMap<>();
    list(key).forEach(each -> map.put(each, value.get()));
    return map;
  }
}
