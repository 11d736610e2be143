package dev.tidemark.records.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.records.ColumnSpec;
import dev.tidemark.records.IndexSpec;
import dev.tidemark.records.IndexState;
import dev.tidemark.testkit.SeedSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;

/** Every plan for a random query finds what the query asks for, by the words of the plan. */
class PlannerPropertyTest {
  private static final int QUERIES = 120;

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 10)
  void everyCandidateFindsExactlyWhatTheConditionSaysInTheOrderAskedFor(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomQueries queries = new RandomQueries(random);
    Catalog catalog = catalog(queries.indexes());
    List<NaiveRow> records = records(queries, random);
    for (int i = 0; i < QUERIES; i++) {
      check(catalog, records, queries);
    }
  }

  private static void check(Catalog catalog, List<NaiveRow> records, RandomQueries queries) {
    Condition condition = queries.condition(3);
    List<Ordering> order = queries.order();
    Optional<List<ColumnSpec>> wanted = queries.wanted();
    Parameters.Split split =
        Parameters.split(
            "Thing", Normalizer.normalize(condition), order, wanted, false, Optional.empty());
    Bindings none = new Bindings(List.of());
    List<NaiveRow> expected =
        records.stream().filter(record -> record.meets(condition, none)).toList();
    Planned planned = Planner.plan(catalog, split.shape(), split.bindings(), Planner.ALL);
    assertThat(planned.candidates().stream().map(Candidate::fingerprint)).doesNotHaveDuplicates();
    for (Candidate candidate : planned.candidates()) {
      List<NaivePlans.Row> rows =
          new NaivePlans(catalog, split.bindings(), records).run(candidate.plan());
      assertThat(rows.stream().map(NaivePlans.Row::record))
          .as("%s for %s", candidate.plan(), condition)
          .containsExactlyInAnyOrderElementsOf(expected);
      for (int i = 1; i < rows.size(); i++) {
        assertThat(NaivePlans.compare(rows.get(i - 1).record(), rows.get(i).record(), order))
            .as("%s in order %s", candidate.plan(), order)
            .isLessThanOrEqualTo(0);
      }
      for (NaivePlans.Row row : rows) {
        wanted.ifPresent(columns -> columns.forEach(column -> row.shown().value(column)));
      }
    }
  }

  private static Catalog catalog(List<IndexSpec> indexes) {
    Map<IndexSpec, IndexState> states = new LinkedHashMap<>();
    indexes.forEach(index -> states.put(index, IndexState.READABLE));
    return Catalog.of(RandomQueries.TYPE, states, TypeStatistics.UNKNOWN);
  }

  private static List<NaiveRow> records(RandomQueries queries, SplittableRandom random) {
    List<NaiveRow> records = new ArrayList<>();
    for (long part = 0; part < 3; part++) {
      for (long id = 0; id < 20; id++) {
        NaiveRow record = new NaiveRow();
        record.with(ColumnSpec.of(1), part).with(ColumnSpec.of(2), id);
        for (int field = 3; field <= 6; field++) {
          record.with(ColumnSpec.of(field), queries.valueOrNull(ColumnSpec.of(field)));
        }
        record.withList(RandomQueries.TAGS, list(queries, random, false));
        record.withList(RandomQueries.ITEMS, list(queries, random, true));
        records.add(record);
      }
    }
    return records;
  }

  private static @Nullable List<NaiveRow> list(
      RandomQueries queries, SplittableRandom random, boolean nested) {
    ColumnSpec text = ColumnSpec.of(5);
    List<NaiveRow> list = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      NaiveRow element = new NaiveRow();
      if (nested) {
        element.with(RandomQueries.SKU, queries.valueOrNull(text));
        element.with(RandomQueries.COUNT, (long) random.nextInt(4));
      } else {
        element.with(Condition.ELEMENT, queries.value(text));
      }
      list.add(element);
    }
    return random.nextInt(12) == 0 ? null : list;
  }
}
