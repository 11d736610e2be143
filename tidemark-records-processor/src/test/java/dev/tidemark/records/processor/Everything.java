package dev.tidemark.records.processor;

import dev.tidemark.records.annotation.FieldOrder;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A record with components of every type that is stored. */
@Recordable
record Everything(
    @PrimaryKey(order = 2) String name,
    @PrimaryKey(order = 1) UUID id,
    Primitives primitives,
    Boxes boxes,
    @Nullable Values values,
    Lists lists,
    Sets sets,
    Maps maps,
    Options options) {
  record Primitives(
      boolean bool,
      byte int8,
      short int16,
      int int32,
      long int64,
      char letter,
      float real,
      double number) {}

  record Boxes(
      @Nullable Boolean bool,
      @Nullable Byte int8,
      @Nullable Short int16,
      @Nullable Integer int32,
      @Nullable Long int64,
      @Nullable Character letter,
      @Nullable Float real,
      @Nullable Double number) {}

  @FieldOrder({"duration", "time", "date", "instant", "decimal", "big", "day", "key", "value"})
  record Values(
      @Nullable String value,
      @Nullable UUID key,
      @Nullable DayOfWeek day,
      @Nullable BigInteger big,
      @Nullable BigDecimal decimal,
      @Nullable Instant instant,
      @Nullable LocalDate date,
      @Nullable LocalDateTime time,
      @Nullable Duration duration) {}

  record Lists(
      List<String> strings,
      List<Integer> numbers,
      List<Double> reals,
      List<Boolean> flags,
      List<Character> letters,
      List<DayOfWeek> days,
      List<LocalDate> dates,
      List<Instant> times,
      List<Values> values) {}

  record Sets(Set<String> strings, Set<Long> numbers, Set<DayOfWeek> days, Set<Point> points) {}

  record Maps(
      Map<String, String> strings,
      Map<Integer, Double> numbers,
      Map<DayOfWeek, UUID> days,
      Map<UUID, Point> points,
      Map<Boolean, DayOfWeek> flags,
      Map<Character, byte[]> bytes,
      Map<Long, LocalDateTime> times) {}

  record Options(
      Optional<String> text,
      Optional<Integer> in,
      Optional<Point> record,
      Optional<DayOfWeek> type) {}

  record Point(int x, int y) {}
}
