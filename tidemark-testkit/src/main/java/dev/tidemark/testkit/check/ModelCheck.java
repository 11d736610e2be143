package dev.tidemark.testkit.check;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.ScanMode;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.testkit.internal.program.Program;
import dev.tidemark.testkit.internal.program.ProgramGenerator;
import dev.tidemark.testkit.internal.program.ReadStep;
import dev.tidemark.testkit.internal.program.Shrinker;
import dev.tidemark.testkit.internal.program.Step;
import dev.tidemark.testkit.internal.program.WriteStep;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Random programs, one transaction after the other, every answer of which is compared with a sorted
 * map.
 *
 * <p>It finds faults in what a transaction reads of its own writes and of the store. The seed
 * decides everything, so a failure happens again with the same seed; the program is made as short
 * as it still fails, and printed.
 */
public final class ModelCheck {
  private static final int TRANSACTIONS = 60;
  private static final int STEPS_MOST = 14;
  private static final int SHRINK_RUNS_MOST = 400;

  /** Any stamp will do for an own stamped write before its commit: nothing reads it. */
  private static final Versionstamp NO_STAMP = Versionstamp.of(0, 0, 0);

  private static final ReadStep EVERYTHING =
      new ReadStep.Rows(
          KeySelector.firstGreaterOrEqual(KeyRange.ALL.begin()),
          KeySelector.firstGreaterOrEqual(KeyRange.ALL.end()),
          0,
          false,
          ScanMode.WANT_ALL,
          false);

  private ModelCheck() {}

  /**
   * Checks the programs of {@code seed} on an empty database from {@code open}.
   *
   * @throws AssertionError if an answer is wrong; the message holds seed and program
   */
  public static void run(long seed, Supplier<? extends Database> open) {
    List<Program> programs =
        ProgramGenerator.of(seed, STEPS_MOST, ProgramGenerator.Writes.SOME_QUIET)
            .next(TRANSACTIONS);
    Optional<String> wrong = firstWrongAnswer(programs, open);
    if (wrong.isPresent()) {
      List<Program> shortest = shrink(programs, open);
      String story = firstWrongAnswer(shortest, open).orElse(wrong.get());
      throw new AssertionError(
          "Seed %d: %s%nThe shortest program found that fails (again with -D%s=%d):%n%s"
              .formatted(seed, story, SeedSource.PROPERTY, seed, Program.print(shortest)));
    }
  }

  private static Optional<String> firstWrongAnswer(
      List<Program> programs, Supplier<? extends Database> open) {
    TreeMap<Key, byte[]> model = new TreeMap<>();
    try (Database db = open.get()) {
      for (Program program : programs) {
        Optional<String> wrong = run(program, db, model);
        if (wrong.isPresent()) {
          return wrong;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> run(
      Program program, Database db, NavigableMap<Key, byte[]> model) {
    TreeMap<Key, byte[]> view = new TreeMap<>(model);
    try (Transaction tx = db.begin()) {
      for (Step step : program.steps()) {
        switch (step) {
          case ReadStep read -> {
            Optional<String> wrong = compare(read, view, read.run(tx));
            if (wrong.isPresent()) {
              return wrong;
            }
          }
          case WriteStep write -> {
            write.run(tx);
            write.apply(view, NO_STAMP);
          }
        }
      }
      if (program.commits()) {
        tx.commit();
        if (tx.committedVersion() >= 0) {
          Versionstamp stamp = tx.versionstamp();
          program.steps().forEach(step -> apply(step, model, stamp));
        }
      }
    } catch (RuntimeException failure) {
      return Optional.of("unexpected " + failure);
    }
    return compare(EVERYTHING, model, db.read(EVERYTHING::ask));
  }

  private static void apply(Step step, NavigableMap<Key, byte[]> model, Versionstamp stamp) {
    if (step instanceof WriteStep write) {
      write.apply(model, stamp);
    }
  }

  private static Optional<String> compare(
      ReadStep read, NavigableMap<Key, byte[]> model, String answer) {
    String expected = read.expect(model);
    return expected.equals(answer)
        ? Optional.empty()
        : Optional.of(
            "%s answered%n  %s%nand should have answered%n  %s".formatted(read, answer, expected));
  }

  // ---- shrinking: leave transactions out, then steps, as long as something still fails

  private static List<Program> shrink(List<Program> programs, Supplier<? extends Database> open) {
    int[] runs = {0};
    List<Program> shortest =
        Shrinker.shrink(
            programs,
            candidate ->
                runs[0]++ < SHRINK_RUNS_MOST && firstWrongAnswer(candidate, open).isPresent());
    for (int i = 0; i < shortest.size(); i++) {
      int at = i;
      List<Program> base = List.copyOf(shortest);
      List<Step> steps =
          Shrinker.shrink(
              base.get(at).steps(),
              candidate ->
                  runs[0]++ < SHRINK_RUNS_MOST
                      && firstWrongAnswer(with(base, at, candidate), open).isPresent());
      shortest = with(base, at, steps);
    }
    return shortest;
  }

  private static List<Program> with(List<Program> programs, int at, List<Step> steps) {
    List<Program> changed = new ArrayList<>(programs);
    changed.set(at, new Program(steps, programs.get(at).commits()));
    return changed;
  }
}
