package dev.tidemark.bench.queries;

import java.util.List;

/** A store of people that answers questions. */
interface PeopleTable extends AutoCloseable {
  /** Names it in results. */
  String name();

  /** Stores {@code persons} in one transaction. */
  void savePersons(List<Person> persons) throws Exception;

  /** Stores {@code purchases} in one transaction. */
  void savePurchases(List<Purchase> purchases) throws Exception;

  /** Lets the planner look at what has been stored. */
  void analyze() throws Exception;

  /**
   * Asks {@code question} with {@code values}, takes every row with all that it has, and returns a
   * number that is the same for the same rows in whatever order.
   */
  long ask(Question question, List<Object> values) throws Exception;

  /** What {@link #ask} adds for a person. */
  static long sum(Person person) {
    return mix(
        person.personId()
            + person.email().length()
            + 3L * person.city().hashCode()
            + 5L * person.age()
            + 7L * person.score()
            + 11L * person.team()
            + 13L * person.level()
            + 17L * person.status().hashCode()
            + 19L * person.note().length());
  }

  /** What {@link #ask} adds for a name with numbers. */
  static long sum(String name, long first, long second) {
    return mix(name.hashCode() + 31 * first + 961 * second);
  }

  /** Spreads a number, so that sums of different rows are different. */
  static long mix(long number) {
    long spread = (number ^ (number >>> 33)) * 0xff51afd7ed558ccdL;
    return spread ^ (spread >>> 29);
  }

  @Override
  void close();
}
