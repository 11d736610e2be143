package dev.tidemark.records.internal.query.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.query.NaivePlans;
import dev.tidemark.records.internal.query.NaiveRow;
import dev.tidemark.records.internal.query.RandomQueries;
import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Normalizer;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.internal.query.condition.Parameters;
import dev.tidemark.records.internal.query.condition.Taken;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;

/** Every plan for a random query finds what the query asks for, by the words of the plan. */
class PlannerPropertyTest {
  private static final int QUERIES = 60;
  private static final int RECORDS = 60;

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 20)
  void everyCandidateFindsExactlyWhatTheConditionSaysInTheOrderAskedFor(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomQueries queries = new RandomQueries(random);
    Catalog catalog = catalog(queries);
    List<NaiveRow> records = new ArrayList<>();
    for (long id = 0; id < RECORDS; id++) {
      records.add(row(queries, id));
    }
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
    RankedPlans planned = Planner.plan(catalog, split.shape(), split.bindings(), Taken.ALL);
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

  private static Catalog catalog(RandomQueries queries) {
    Map<IndexSpec, IndexState> states = new LinkedHashMap<>();
    queries.indexes().forEach(index -> states.put(index, IndexState.READABLE));
    return Catalog.of(queries.spec(), states, TypeStatistics.UNKNOWN);
  }

  private static NaiveRow row(RandomQueries queries, long id) {
    DynamicRecord record = queries.values().record("Thing", queries.spec().fields()).with(2, id);
    NaiveRow row = new NaiveRow();
    for (ColumnSpec column : queries.columns()) {
      row.with(column, element(record, column.path(), column.typeIn(queries.spec())));
    }
    for (ColumnSpec list : queries.lists()) {
      row.withList(list, elements(record, list, list.typeIn(queries.spec())));
    }
    return row;
  }

  private static @Nullable Object element(
      DynamicRecord record, List<ColumnSpec.Step> path, FieldType type) {
    Object value = record.value(path.getFirst().field());
    if (path.size() > 1) {
      return value == null
          ? null
          : element((DynamicRecord) value, path.subList(1, path.size()), type);
    }
    return KeyElements.element(type, value);
  }

  private static List<NaiveRow> elements(DynamicRecord record, ColumnSpec list, FieldType type) {
    List<NaiveRow> elements = new ArrayList<>();
    ColumnSpec.Step step = list.path().getFirst();
    for (Object value : all(record.value(step.field()), step.part())) {
      NaiveRow element = new NaiveRow();
      if (type instanceof FieldType.Nested nested) {
        nested
            .fields()
            .forEach(
                field ->
                    element.with(
                        ColumnSpec.of(field.number()),
                        KeyElements.element(
                            field.type(), ((DynamicRecord) value).value(field.number()))));
      } else {
        element.with(Condition.ELEMENT, KeyElements.element(type, value));
      }
      elements.add(element);
    }
    return elements;
  }

  private static Collection<?> all(@Nullable Object value, ColumnSpec.Part part) {
    return switch (value) {
      case Map<?, ?> map -> part == ColumnSpec.Part.KEYS ? map.keySet() : map.values();
      case Collection<?> all -> all;
      case null -> List.of();
      default -> throw new AssertionError(value);
    };
  }
}
