package dev.tidemark.bench.records;

import java.util.List;

/** A store of users with their three indexes. Reads are transactions of their own. */
interface UserTable extends AutoCloseable {
  /** Names it in results. */
  String name();

  /** Saves {@code users} in one transaction and returns when they are on disk. */
  void save(List<User> users) throws Exception;

  User load(long userId) throws Exception;

  User byEmail(String email) throws Exception;

  /**
   * Reads city, age and number of the first {@code rows} users of {@code city} from {@code age} on,
   * from the index alone; returns a sum of what it read.
   */
  long covered(String city, int age, int rows) throws Exception;

  /** The same users as a whole. */
  List<User> range(String city, int age, int rows) throws Exception;

  /** How many users {@code city} has, by the index. */
  long count(String city) throws Exception;

  /** What {@link #covered} adds for a user. */
  static long sum(String city, long age, long userId) {
    return city.length() + 31 * age + 961 * userId;
  }

  @Override
  void close();
}
