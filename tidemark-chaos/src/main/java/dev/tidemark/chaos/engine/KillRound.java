package dev.tidemark.chaos.engine;

import dev.tidemark.chaos.ledger.Audit;
import dev.tidemark.chaos.ledger.Ledger;
import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Findings;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Settings;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.StorageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;

/** A round in which the child is killed at a random moment, and copies of its files are damaged. */
final class KillRound {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long[] WRITE_BUFFERS = {0, 1 << 20, 4 << 20, 16 << 20};
  private static final int EARLY_ONE_IN = 8;
  private static final int EARLY_MILLIS = 900;
  private static final int DAMAGE_MILLIS_MIN = 200;

  private final Workspace workspace;
  private final Settings settings;
  private final SplittableRandom random;
  private final EngineTally tally;
  private final Ledger before;
  private final List<String> notes = new ArrayList<>();
  private List<Message.Acknowledged> acknowledged = List.of();

  KillRound(
      Workspace workspace,
      Settings settings,
      SplittableRandom random,
      EngineTally tally,
      Ledger before) {
    this.workspace = workspace;
    this.settings = settings;
    this.random = random;
    this.tally = tally;
    this.before = before;
  }

  /** What happened, for people. */
  String notes() {
    return String.join(", ", notes);
  }

  /** Runs the round and returns what the database holds afterwards. */
  Ledger run(Round kind) throws InterruptedException {
    Path directory = workspace.path("database");
    runChild(directory, kind);
    switch (kind) {
      case TEAR -> {
        tally.tears(damaged(directory, Damage::tear, Expected.INTACT));
        tally.tears(damaged(directory, Damage::garble, Expected.INTACT_OR_REPORTED));
      }
      case FLIP -> {
        tally.flips(damaged(directory, Damage::flipInLog, Expected.INTACT_OR_REPORTED));
        tally.flips(damaged(directory, Damage::flipInTable, Expected.REPORTED));
      }
      case KILL, SWEEP, FULL -> {}
    }
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory)) {
      Audit.Result result = Audit.of(database, before, acknowledged, 1);
      tally.findings.addAll(result.findings());
      return result.ledger();
    }
  }

  private void runChild(Path directory, Round kind) throws InterruptedException {
    long writeBuffer = WRITE_BUFFERS[random.nextInt(WRITE_BUFFERS.length)];
    Child.Order order = new Child.Order(directory, writeBuffer, 0, random.nextLong());
    boolean early = random.nextInt(EARLY_ONE_IN) == 0 && kind == Round.KILL;
    long millis = random.nextLong(early ? EARLY_MILLIS : settings.longestRun().toMillis());
    if (kind != Round.KILL) {
      // Damage needs a log with something in it.
      millis = Math.max(millis, DAMAGE_MILLIS_MIN);
    }
    try (ChildProcess child = Child.start(workspace, List.of(), order)) {
      if (!early && !child.awaitFirstCommit(PATIENCE)) {
        tally.findings.broken(
            "no commit in %s; the child says: %s".formatted(PATIENCE, child.errors()));
      }
      Thread.sleep(millis);
      if (child.ended()) {
        tally.findings.broken("the child ended by itself: %s".formatted(child.errors()));
      }
      child.kill();
      acknowledged = child.acknowledged();
      child.complaints().forEach(text -> tally.findings.broken(text));
    }
    tally.acknowledged(acknowledged.size());
    notes.add(
        "killed %d ms after %s with %,d acknowledged"
            .formatted(millis, early ? "its start" : "its first commit", acknowledged.size()));
  }

  /** What a damaged copy may do. */
  private enum Expected {
    /** Open, with everything that was acknowledged. */
    INTACT,
    /** Report the damage. */
    REPORTED,
    /** Either; the one thing that it must not do is to open and lack something. */
    INTACT_OR_REPORTED
  }

  /** Damages a copy and opens it; returns how many copies were damaged, one or none. */
  private int damaged(Path directory, Function<Damage, Optional<String>> how, Expected expected) {
    if (!tally.findings.clean()) {
      return 0;
    }
    Path copy = workspace.path("copy");
    Workspace.copy(directory, copy);
    Damage damage = new Damage(copy, random, acknowledged);
    Optional<String> what = how.apply(damage);
    what.ifPresent(done -> notes.add(done + ": " + judge(copy, damage, done, expected)));
    if (tally.findings.clean()) {
      Workspace.delete(copy);
    }
    return what.isPresent() ? 1 : 0;
  }

  private String judge(Path copy, Damage damage, String what, Expected expected) {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(copy)) {
      Findings found = Audit.of(database, before, acknowledged, 1).findings();
      boolean missed = expected == Expected.REPORTED && !damage.hitALeftover();
      if (!found.clean() || missed) {
        tally.findings.broken("%s, which the engine did not report: %s".formatted(what, found));
      }
      return "intact";
    } catch (StorageException report) {
      if (report.kind() != StorageException.Kind.DAMAGED || expected == Expected.INTACT) {
        tally.findings.broken("%s, upon which the engine says %s".formatted(what, report));
      }
      tally.reported();
      return "reported";
    }
  }
}
