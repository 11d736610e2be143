package dev.tidemark.bench.records;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The users that everybody stores. Their numbers and emails stay; they move and age at random. */
public final class Users {
  private static final int CITIES = 20;
  private static final List<String> CITY_NAMES =
      IntStream.range(0, CITIES).mapToObj("Port Number %02d"::formatted).toList();
  private static final int YOUNGEST = 18;
  private static final int AGES = 80;
  private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");

  private final int size;

  public Users(int size) {
    this.size = size;
  }

  public int size() {
    return size;
  }

  /** The users from {@code from} on, {@code count} of them or as many as there are. */
  public List<User> initial(int from, int count) {
    List<User> users = new ArrayList<>(count);
    for (int i = from; i < Math.min(from + count, size); i++) {
      users.add(user(i, new SplittableRandom(i)));
    }
    return users;
  }

  /** {@code count} users with new cities and ages. */
  public List<User> changed(SplittableRandom random, int count) {
    List<User> users = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      users.add(user(number(random), random));
    }
    return users;
  }

  long number(SplittableRandom random) {
    return random.nextInt(size);
  }

  String email(SplittableRandom random) {
    return email(number(random));
  }

  static String city(SplittableRandom random) {
    return CITY_NAMES.get(random.nextInt(CITIES));
  }

  /** An age with many older users. */
  static int ageToBeginAt(SplittableRandom random) {
    return YOUNGEST + random.nextInt(AGES / 2);
  }

  private static User user(long number, SplittableRandom random) {
    return new User(
        number,
        email(number),
        city(random),
        YOUNGEST + random.nextInt(AGES),
        FIRST.plusMillis(number * 7_919));
  }

  private static String email(long number) {
    return "user-" + number + "@mail.example.com";
  }
}
