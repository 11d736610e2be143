package dev.tidemark.bench.queries;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The queries of {@code bench queries}, each with the SQL that the rivals are asked and what takes
 * the places of its question marks. {@code *} stands for all fields of a person.
 */
enum Question {
  /** One record by its primary key. */
  POINT("SELECT * FROM person WHERE personId = ?") {
    @Override
    List<Object> values(People people, SplittableRandom random) {
      return List.of((long) random.nextInt(people.size()));
    }
  },
  /** About a hundred records from an index of one column. */
  RANGE("SELECT * FROM person WHERE score BETWEEN ? AND ?") {
    @Override
    List<Object> values(People people, SplittableRandom random) {
      int from = random.nextInt(people.size());
      return List.of(from, from + 100);
    }
  },
  /** Equality and a range from an index of two columns. */
  COMPOUND("SELECT * FROM person WHERE city = ? AND age BETWEEN ? AND ?") {
    @Override
    List<Object> values(People people, SplittableRandom random) {
      int age = age(random);
      return List.of(People.city(random), age, age + 1);
    }
  },
  /** What an index has itself. */
  COVERING(
      "SELECT city, age, personId FROM person WHERE city = ? AND age >= ? ORDER BY age, personId"
          + " LIMIT 100") {
    @Override
    List<Object> values(People people, SplittableRandom random) {
      return List.of(People.city(random), age(random));
    }
  },
  /** Two indexes, either of which may know a record. */
  OR_UNION("SELECT * FROM person WHERE score BETWEEN ? AND ? OR (city = ? AND age = ?)") {
    @Override
    List<Object> values(People people, SplittableRandom random) {
      int from = random.nextInt(people.size());
      return List.of(from, from + 20, People.city(random), age(random));
    }
  },
  /** Two indexes, both of which know too many. */
  AND_INTERSECTION("SELECT * FROM person WHERE team = ? AND level = ?") {
    @Override
    List<Object> values(People people, SplittableRandom random) {
      return List.of(random.nextInt(People.TEAMS), random.nextInt(People.LEVELS));
    }
  },
  /** A hundred values of an indexed column. */
  IN_100(
      "SELECT * FROM person WHERE score IN (%s)"
          .formatted(String.join(", ", IntStream.range(0, 100).mapToObj(i -> "?").toList()))) {
    @Override
    List<Object> values(People people, SplittableRandom random) {
      return IntStream.range(0, 100).<Object>mapToObj(i -> random.nextInt(people.size())).toList();
    }
  },
  /** The best few of many. */
  SORT_LIMIT("SELECT * FROM person WHERE status = ? ORDER BY score DESC, personId DESC LIMIT 20") {
    @Override
    List<Object> values(People people, SplittableRandom random) {
      return List.of(People.status(random));
    }
  },
  /** All groups, which an aggregate index has counted. */
  GROUP_COUNT("SELECT city, COUNT(*) FROM person GROUP BY city") {
    @Override
    List<Object> values(People people, SplittableRandom random) {
      return List.of();
    }
  },
  /** How many, from an index. */
  COUNT_FILTER("SELECT COUNT(*) FROM person WHERE city = ? AND age >= ?") {
    @Override
    List<Object> values(People people, SplittableRandom random) {
      return List.of(People.city(random), age(random));
    }
  },
  /** The purchases of a day with who made them. */
  JOIN(
      "SELECT person.*, purchase.cents FROM purchase JOIN person ON person.personId ="
          + " purchase.personId WHERE purchase.dayNumber = ?") {
    @Override
    List<Object> values(People people, SplittableRandom random) {
      return List.of(random.nextInt(people.purchases() / People.PURCHASES_A_DAY));
    }
  },
  /** What no index helps with. */
  FULL_SCAN("SELECT * FROM person WHERE note LIKE ?") {
    @Override
    List<Object> values(People people, SplittableRandom random) {
      return List.of("Note " + People.digits(random) + "%");
    }
  };

  private final String sql;

  Question(String sql) {
    this.sql = sql;
  }

  String sql() {
    return sql;
  }

  /** Values for one time that the question is asked. */
  abstract List<Object> values(People people, SplittableRandom random);

  private static int age(SplittableRandom random) {
    return People.YOUNGEST + random.nextInt(People.AGES - 2);
  }
}
