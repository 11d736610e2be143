package dev.tidemark.records;

import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import dev.tidemark.records.schema.ZeroGroups;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Schemas over {@link Person} with indexes of every kind, and random people for them. */
final class People {
  /** People whose records keep versions. */
  static final RecordType<Person> VERSIONED = type(List.of(1));

  /** People identified by score and id, so that primary keys have a prefix. */
  static final RecordType<Person> BY_SCORE = type(List.of(5, 1));

  private static final List<String> CITIES = List.of("Kyoto", "Lima", "Oslo", "Tokyo");

  private People() {}

  private static RecordType<Person> type(List<Integer> primaryKey) {
    TypeSpec spec =
        new TypeSpec("Person", Person.SPEC.fields(), primaryKey, true, Optional.empty(), List.of());
    return new RecordType<>(spec, Person.class, Person.TYPE.codec());
  }

  static Schema schema(RecordType<Person> type, IndexSpec... indexes) {
    return Schema.of(1, List.of(type), List.of(indexes));
  }

  /** An index of every kind and with everything special that an index can have. */
  static List<IndexSpec> everyKind() {
    List<IndexSpec> all = new ArrayList<>();
    all.add(Person.index("email", IndexKind.VALUE, "email").asUnique(false));
    all.add(
        Person.index("city_age", IndexKind.VALUE, "city", "age")
            .withCovering(List.of(Person.column("score"))));
    all.add(descending("age_desc", IndexKind.VALUE, "city", "age"));
    all.add(Person.index("tags", IndexKind.VALUE, "tags"));
    all.add(Person.index("id_city", IndexKind.VALUE, "id", "city"));
    all.add(
        Person.index("adults", IndexKind.VALUE, "age")
            .withFilter(
                new IndexFilter(
                    List.of(
                        new IndexFilter.Comparison(
                            Person.column("age"), IndexFilter.Operator.GE, 18L)))));
    all.add(Person.index("count", IndexKind.COUNT));
    all.add(Person.index("count_city", IndexKind.COUNT, "city"));
    all.add(Person.index("count_tags", IndexKind.COUNT, "tags"));
    all.add(Person.index("count_kept", IndexKind.COUNT, "city").withZeroGroups(ZeroGroups.KEEP));
    all.add(Person.index("with_age", IndexKind.COUNT_NOT_NULL, "city", "age"));
    all.add(Person.index("updates", IndexKind.COUNT_UPDATES, "city"));
    all.add(Person.index("sum_age", IndexKind.SUM, "city", "age"));
    all.add(
        Person.index("sum_removed", IndexKind.SUM, "city", "age")
            .withZeroGroups(ZeroGroups.REMOVE));
    all.add(Person.index("min_age", IndexKind.MIN, "city", "age"));
    all.add(Person.index("max_weight", IndexKind.MAX, "city", "weight"));
    all.add(Person.index("min_age_ever", IndexKind.MIN_EVER, "city", "age"));
    all.add(Person.index("max_age_ever", IndexKind.MAX_EVER, "city", "age"));
    all.add(Person.index("average_age", IndexKind.AVERAGE, "city", "age"));
    all.add(Person.index("rank_age", IndexKind.RANK, "age"));
    all.add(Person.index("rank_city_age", IndexKind.RANK, "city", "age"));
    all.add(descending("rank_oldest", IndexKind.RANK, "city", "age"));
    all.add(Person.index("words", IndexKind.TEXT, "email"));
    all.add(Person.index("words_city", IndexKind.TEXT, "city", "email"));
    all.add(Person.index("version", IndexKind.VERSION));
    all.add(Person.index("version_city", IndexKind.VERSION, "city"));
    return all;
  }

  /** An index whose last column is descending. */
  static IndexSpec descending(String name, IndexKind kind, String... columns) {
    List<ColumnSpec> specs = new ArrayList<>();
    for (String column : columns) {
      boolean last = specs.size() == columns.length - 1;
      specs.add(new ColumnSpec(Person.column(column).path(), last));
    }
    return IndexSpec.of(name, "Person", kind, specs);
  }

  /** Somebody with an id below {@code ids}; now and then without city, age or email. */
  static Person random(SplittableRandom random, int ids) {
    long id = random.nextLong(ids);
    Person person = Person.of(id, city(random), age(random)).withScore(random.nextInt(5));
    List<String> tags = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      tags.add("t" + random.nextInt(4));
    }
    return person
        .withTags(tags.toArray(String[]::new))
        .withEmail(random.nextInt(6) == 0 ? null : "p" + random.nextInt(2 * ids));
  }

  private static @Nullable String city(SplittableRandom random) {
    return random.nextInt(8) == 0 ? null : CITIES.get(random.nextInt(CITIES.size()));
  }

  private static @Nullable Integer age(SplittableRandom random) {
    return random.nextInt(6) == 0 ? null : random.nextInt(-5, 90);
  }
}
