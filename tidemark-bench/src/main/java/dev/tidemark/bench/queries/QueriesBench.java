package dev.tidemark.bench.queries;

import dev.tidemark.bench.measure.Contestant;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Race;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Results;
import dev.tidemark.bench.measure.Scratch;
import dev.tidemark.records.query.CandidateTimes;
import dev.tidemark.records.query.Query;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The run {@code bench queries}.
 *
 * <p>Its question: does a program that asks in the language of its records wait longer than one
 * that asks SQLite or H2, and does the planner know its own plans?
 */
public final class QueriesBench {
  private static final int LOAD = 1_000;
  private static final int CHECKS = 3;
  private static final int PLANS = 2_000;
  private static final int TIMES = 7;

  /** Two plans that differ by less than this are equally good: machines are not quieter. */
  private static final double TIE = 1.15;

  private static final Duration GIVE_UP = Duration.ofSeconds(1);

  private final Plan plan;
  private final Report report;
  private final People people;
  private final Results results;

  public QueriesBench(Plan plan, Report report) {
    this.plan = plan;
    this.report = report;
    this.people = new People(plan.keys());
    this.results = new Results("queries", plan, report);
  }

  public void run(Path json) throws Exception {
    try (Scratch scratch = new Scratch();
        RecordPeople records = new RecordPeople(scratch.path("records"));
        PeopleTable sqlite = SqlPeople.sqlite(scratch.directory("sqlite"));
        PeopleTable h2 = SqlPeople.h2(scratch.directory("h2"))) {
      List<PeopleTable> tables = List.of(records, sqlite, h2);
      for (PeopleTable table : tables) {
        load(table);
      }
      check(tables);
      races(tables);
      planning(records);
      picks(records);
    }
    results.write(json);
  }

  private void load(PeopleTable table) throws Exception {
    report.part("loading %,d persons into %s".formatted(people.size(), table.name()));
    for (int from = 0; from < people.size(); from += LOAD) {
      table.savePersons(people.persons(from, LOAD));
    }
    for (int from = 0; from < people.purchases(); from += LOAD) {
      table.savePurchases(people.purchases(from, LOAD));
    }
    table.analyze();
  }

  /** All must answer the same, or the comparison is worth nothing. */
  private void check(List<PeopleTable> tables) throws Exception {
    report.part("comparing answers");
    for (Question question : Question.values()) {
      for (int i = 0; i < CHECKS; i++) {
        List<Object> values = question.values(people, new SplittableRandom(i));
        Map<String, Long> answers = new LinkedHashMap<>();
        for (PeopleTable table : tables) {
          answers.put(table.name(), table.ask(question, values));
        }
        if (answers.values().stream().distinct().count() > 1) {
          throw new IllegalStateException(
              "%s with %s is answered differently: %s".formatted(question, values, answers));
        }
      }
    }
  }

  private void races(List<PeopleTable> tables) throws Exception {
    Map<String, Double> ratios = new LinkedHashMap<>();
    for (Question question : Question.values()) {
      String name = question.name().toLowerCase(Locale.ROOT);
      report.part(name);
      Race race = new Race(name);
      for (PeopleTable table : tables) {
        SplittableRandom random = new SplittableRandom(7);
        race.with(
            table.name(),
            Contestant.loop(() -> table.ask(question, question.values(people, random))));
      }
      race.run(plan.rounds(), plan.readSlice(), plan.warmUp(), report);
      double ratio = race.ratio("records", race.best("records"));
      report.say("  %s: %.2f".formatted(name, ratio));
      ratios.put(name, ratio);
    }
    report.put("ratios", ratios);
    double logs = ratios.values().stream().mapToDouble(Math::log).sum();
    results.ratio("geomean", Math.exp(logs / ratios.size()));
    results.ratio("worst", ratios.values().stream().mapToDouble(r -> r).min().orElseThrow());
  }

  private void planning(RecordPeople records) {
    report.part("planning");
    List<Double> known = new ArrayList<>();
    List<Double> cold = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(8);
    for (Question question : Question.values()) {
      if (question == Question.GROUP_COUNT || question == Question.JOIN) {
        continue;
      }
      Query<Person> query = records.query(question, question.values(people, random));
      for (int i = 0; i < PLANS; i++) {
        known.add(CandidateTimes.planNanos(records.database(), query) / 1e3);
      }
      for (int limit = 0; limit < 20; limit++) {
        records.forgetPlans();
        cold.add(CandidateTimes.planNanos(records.database(), query) / 1e6);
      }
    }
    results.ratio("plan_cached_us", Race.median(known));
    results.ratio("plan_cold_ms", Race.median(cold));
  }

  /** Runs every plan of every question, and counts how often the chosen one is the fastest. */
  private void picks(RecordPeople records) {
    report.part("all plans of all questions");
    int best = 0;
    SplittableRandom random = new SplittableRandom(9);
    for (Question question : Question.values()) {
      if (question == Question.GROUP_COUNT || question == Question.JOIN) {
        best++; // One plan each: an aggregate index that fits, and lookups by key.
        continue;
      }
      Query<Person> query = records.query(question, question.values(people, random));
      List<Long> nanos = CandidateTimes.nanos(records.database(), query, TIMES, GIVE_UP.toNanos());
      long shortest = nanos.stream().mapToLong(n -> n).min().orElseThrow();
      boolean picked = nanos.getFirst() <= shortest * TIE;
      best += picked ? 1 : 0;
      report.say(
          "  %-17s %d plans, chosen %,d us, fastest %,d us%s"
              .formatted(
                  question.name().toLowerCase(Locale.ROOT),
                  nanos.size(),
                  nanos.getFirst() / 1_000,
                  shortest / 1_000,
                  picked ? "" : "  <- missed"));
    }
    results.put("best_picked", best);
  }
}
