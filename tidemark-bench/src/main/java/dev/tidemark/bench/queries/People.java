package dev.tidemark.bench.queries;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The persons and purchases that everybody stores, made from their numbers. */
final class People {
  static final int CITIES = 200;
  static final int TEAMS = 300;
  static final int LEVELS = 300;
  static final int YOUNGEST = 18;
  static final int AGES = 80;

  /** Persons for each purchase. */
  static final int PURCHASES_ONE_IN = 5;

  /** So many purchases a day. */
  static final int PURCHASES_A_DAY = 100;

  private static final List<String> CITY_NAMES =
      IntStream.range(0, CITIES).mapToObj("Harbour %03d"::formatted).toList();
  private static final List<String> STATUSES = List.of("new", "trial", "paying", "paused", "gone");

  private final int size;

  People(int size) {
    this.size = size;
  }

  int size() {
    return size;
  }

  int purchases() {
    return size / PURCHASES_ONE_IN;
  }

  /** The persons from {@code from} on, {@code count} of them or as many as there are. */
  List<Person> persons(int from, int count) {
    return LongStream.range(from, Math.min(from + count, size)).mapToObj(this::person).toList();
  }

  /** The purchases from {@code from} on, {@code count} of them or as many as there are. */
  List<Purchase> purchases(int from, int count) {
    return LongStream.range(from, Math.min(from + count, purchases()))
        .mapToObj(this::purchase)
        .toList();
  }

  private Person person(long number) {
    SplittableRandom random = new SplittableRandom(number);
    return new Person(
        number,
        email(number),
        CITY_NAMES.get(random.nextInt(CITIES)),
        YOUNGEST + random.nextInt(AGES),
        random.nextInt(size),
        random.nextInt(TEAMS),
        random.nextInt(LEVELS),
        STATUSES.get(random.nextInt(STATUSES.size())),
        "Note %08x of this person, which no index knows".formatted(random.nextInt()));
  }

  private Purchase purchase(long number) {
    SplittableRandom random = new SplittableRandom(~number);
    return new Purchase(
        number,
        random.nextInt(size),
        (int) (number / PURCHASES_A_DAY),
        100 + random.nextInt(100_000));
  }

  static String email(long number) {
    return "person-" + number + "@mail.example.com";
  }

  static String city(SplittableRandom random) {
    return CITY_NAMES.get(random.nextInt(CITIES));
  }

  static String status(SplittableRandom random) {
    return STATUSES.get(random.nextInt(STATUSES.size()));
  }

  /** Eight digits that a note may have; few persons share the first three of them. */
  static String digits(SplittableRandom random) {
    return "%08x".formatted(random.nextInt()).substring(0, 4);
  }
}
