package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.internal.Recount;
import dev.tidemark.records.query.Group;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** Eight writers at a time on the same groups. */
class IndexConcurrencyTest {
  private static final int WRITERS = 8;
  private static final int SAVES = 120;
  private static final int IDS = 250;

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 2)
  @Timeout(120)
  void everyIndexEqualsARecountAfterWritersThatMoveAndDelete(long seed) throws Exception {
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordStore<Person> people =
          RecordSpace.open(
                  database,
                  Schema.of(1, List.of(People.VERSIONED), People.everyKind()),
                  Subspace.of("people"))
              .store(People.VERSIONED);
      List<Future<Long>> writers = new ArrayList<>();
      try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
        for (int writer = 0; writer < WRITERS; writer++) {
          SplittableRandom random = new SplittableRandom(seed * 100 + writer);
          writers.add(threads.submit(() -> write(database, people, random)));
        }
      }
      long saves = 0;
      for (Future<Long> writer : writers) {
        saves += result(writer);
      }
      Recount.check(people.space().internals());
      long updates = database.read(tx -> (Long) people.rollUp(tx, "updates").orElseThrow());
      assertThat(updates).isEqualTo(saves);
      List<Group> byCity = database.read(tx -> people.groups(tx, "count_city").toList());
      List<Person> all = database.read(tx -> people.scan(tx).toList());
      assertThat(
              byCity.stream()
                  .collect(
                      Collectors.toMap(
                          group -> String.valueOf(group.key().getFirst()), Group::value)))
          .isEqualTo(
              all.stream()
                  .collect(
                      Collectors.groupingBy(
                          person -> String.valueOf(person.city()), Collectors.counting())));
    }
  }

  private static long result(Future<Long> writer) throws Exception {
    try {
      return writer.get(100, TimeUnit.SECONDS);
    } catch (ExecutionException failure) {
      throw new AssertionError("A writer failed", failure.getCause());
    }
  }

  /** Saves and deletes, and answers how many saves there were. */
  private static long write(
      Database database, RecordStore<Person> people, SplittableRandom random) {
    long saves = 0;
    for (int i = 0; i < SAVES; i++) {
      Person person = People.random(random, IDS).withEmail(null);
      boolean delete = random.nextInt(5) == 0;
      database.run(
          tx -> {
            if (delete) {
              people.delete(tx, person.id());
            } else {
              people.save(tx, person);
            }
          });
      saves += delete ? 0 : 1;
    }
    return saves;
  }
}
