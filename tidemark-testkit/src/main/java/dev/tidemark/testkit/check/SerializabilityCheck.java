package dev.tidemark.testkit.check;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.testkit.internal.Concurrently;
import dev.tidemark.testkit.internal.program.History;
import dev.tidemark.testkit.internal.program.Program;
import dev.tidemark.testkit.internal.program.ProgramGenerator;
import dev.tidemark.testkit.internal.program.ReadStep;
import dev.tidemark.testkit.internal.program.WriteStep;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Random transactions at the same time, whose history must be strictly serializable.
 *
 * <p>Reads with their answers, writes, versionstamps and the order in real time are recorded; then
 * the commits are replayed in the order of their stamps on a sorted map, which has to explain every
 * answer. {@link #interleaved} runs in one thread and is repeated exactly by its seed; in {@link
 * #concurrent} the seed fixes the programs, while the scheduler decides how they meet.
 */
public final class SerializabilityCheck {
  private static final int STEPS_MOST = 6;
  private static final int OPEN_MOST = 4;

  private final String title;
  private final Database db;
  private final History history = new History();

  private SerializabilityCheck(String title, Database db) {
    this.title = title;
    this.db = db;
  }

  /**
   * Runs {@code transactions} programs in this thread, several of them open at any moment, on an
   * empty database.
   *
   * @throws AssertionError if the history is not strictly serializable; the message holds the seed
   */
  public static void interleaved(long seed, Database db, int transactions) {
    SerializabilityCheck check = of(seed, db);
    SplittableRandom random = new SplittableRandom(~seed);
    ProgramGenerator programs =
        ProgramGenerator.of(seed, STEPS_MOST, ProgramGenerator.Writes.ALOUD);
    List<Run> open = new ArrayList<>();
    int begun = 0;
    while (begun < transactions || !open.isEmpty()) {
      if (begun < transactions && (open.isEmpty() || open.size() < random.nextInt(OPEN_MOST + 1))) {
        open.add(check.new Run(programs.next()));
        begun++;
        continue;
      }
      Run run = open.get(random.nextInt(open.size()));
      if (!run.step()) {
        open.remove(run);
      }
    }
    check.finish();
  }

  /**
   * Runs {@code transactions} programs in each of {@code threads} threads, on an empty database.
   *
   * @throws AssertionError if the history is not strictly serializable; the message holds the seed
   */
  public static void concurrent(long seed, Database db, int threads, int transactions)
      throws Exception {
    concurrent(seed, db, threads, programs -> programs.next(transactions));
  }

  /**
   * {@link #concurrent} for programs that only write, and with which nobody conflicts.
   *
   * @throws AssertionError if their effect is not that of their order; the message holds the seed
   */
  public static void concurrentQuietWrites(long seed, Database db, int threads, int transactions)
      throws Exception {
    concurrent(
        seed,
        db,
        threads,
        programs -> programs.next(transactions).stream().map(Program::quietWrites).toList());
  }

  private static void concurrent(
      long seed, Database db, int threads, Function<ProgramGenerator, List<Program>> choose)
      throws Exception {
    SerializabilityCheck check = of(seed, db);
    Concurrently.Task[] tasks = new Concurrently.Task[threads];
    for (int i = 0; i < threads; i++) {
      ProgramGenerator programs =
          ProgramGenerator.of(seed * 31 + i, STEPS_MOST, ProgramGenerator.Writes.ALOUD);
      tasks[i] = () -> choose.apply(programs).forEach(check::runWhole);
    }
    Concurrently.runVirtual(tasks);
    check.finish();
  }

  private static SerializabilityCheck of(long seed, Database db) {
    String found = db.read(History.everything()::ask);
    if (!found.equals("[]")) {
      throw new IllegalArgumentException("The database is not empty: " + found);
    }
    return new SerializabilityCheck(
        "Seed %d (again with -D%s=%d)".formatted(seed, SeedSource.PROPERTY, seed), db);
  }

  private void runWhole(Program program) {
    Run run = new Run(program);
    while (run.step()) {
      // A pause as short as can be lets another thread go on between any two steps.
      LockSupport.parkNanos(1);
    }
  }

  private void finish() {
    if (history.size() == 0) {
      throw new AssertionError(title + ": no transaction was committed, so nothing was checked");
    }
    history.check(title, db.read(History.everything()::ask));
  }

  /** One transaction on its way through its program. */
  private final class Run {
    private final Program program;
    private final List<String> answers = new ArrayList<>();
    private final long began = history.moment();
    private final Transaction tx = db.begin();
    private int next;

    Run(Program program) {
      this.program = program;
    }

    /** Makes the next step; false after the last. */
    boolean step() {
      if (next < program.steps().size()) {
        switch (program.steps().get(next++)) {
          case ReadStep read -> answers.add(read.run(tx));
          case WriteStep write -> write.run(tx);
        }
        return true;
      }
      try (tx) {
        if (program.commits()) {
          commit();
        }
      }
      return false;
    }

    private void commit() {
      long readVersion = program.reads() ? tx.readVersion() : -1;
      try {
        tx.commit();
      } catch (ConflictException refused) {
        return;
      }
      Optional<Versionstamp> stamp =
          tx.committedVersion() >= 0 ? Optional.of(tx.versionstamp()) : Optional.empty();
      history.add(new History.Entry(program, answers, began, history.moment(), readVersion, stamp));
    }
  }
}
