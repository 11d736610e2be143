package dev.tidemark.chaos.engine;

import dev.tidemark.chaos.ledger.Audit;
import dev.tidemark.chaos.ledger.Layout;
import dev.tidemark.chaos.ledger.Ledger;
import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Findings;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Settings;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.Versionstamp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A round in which each file of a killed database, and then of the closed one, is deleted and cut.
 * The engine must report it before it changes anything, or have everything that was acknowledged.
 */
final class SweepRound {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int PADDING = 1_000;
  private static final int WRITE_BUFFER = 1 << 20;
  private static final int RUN_MILLIS = 400;

  private final Workspace workspace;
  private final boolean brief;
  private final SplittableRandom random;
  private final EngineTally tally;
  private List<Message.Acknowledged> acknowledged = List.of();
  private int cuts;
  private int reported;

  SweepRound(Workspace workspace, Settings settings, SplittableRandom random, EngineTally tally) {
    this.workspace = workspace;
    this.brief = settings.isBrief();
    this.random = random;
    this.tally = tally;
  }

  /** What happened, for people. */
  String notes() {
    return "%,d acknowledged, then %,d cuts, of which %,d were reported"
        .formatted(acknowledged.size(), cuts, reported);
  }

  void run() throws InterruptedException {
    Path directory = workspace.path("swept");
    runChild(directory);
    try {
      sweep(directory, true);
      EmbeddedDatabase.open(directory).close();
      sweep(directory, false);
    } catch (IOException failure) {
      throw new UncheckedIOException("A file cannot be cut", failure);
    }
    tally.cuts(cuts);
    if (tally.findings.clean()) {
      Workspace.delete(directory);
    }
  }

  private void runChild(Path directory) throws InterruptedException {
    Child.Order order = new Child.Order(directory, WRITE_BUFFER, PADDING, random.nextLong());
    try (ChildProcess child = Child.start(workspace, List.of(), order)) {
      if (!child.awaitFirstCommit(PATIENCE)) {
        tally.findings.broken("no commit to sweep: %s".formatted(child.errors()));
      }
      Thread.sleep(random.nextInt(RUN_MILLIS));
      child.kill();
      acknowledged = child.acknowledged();
    }
    tally.acknowledged(acknowledged.size());
  }

  private void sweep(Path directory, boolean killed) throws IOException {
    List<Path> files = FileCuts.files(directory);
    Path newest =
        files.stream()
            .filter(file -> file.toString().endsWith(".log"))
            .reduce((older, newer) -> newer)
            .orElse(directory);
    for (Path file : files) {
      for (long cut : FileCuts.of(file, brief, random)) {
        if (tally.findings.clean()) {
          attempt(directory, file, cut, killed && cut > 0 && file.equals(newest));
        }
      }
    }
  }

  private void attempt(Path directory, Path file, long cut, boolean likeACrash) throws IOException {
    Path copy = workspace.path("cut");
    FileCuts.copy(directory, copy, file, cut);
    String what =
        "%s %s"
            .formatted(
                directory.relativize(file), cut < 0 ? "deleted" : "cut at byte %,d".formatted(cut));
    Map<String, Long> before = FileCuts.sizes(copy);
    cuts++;
    try (EmbeddedDatabase database = EmbeddedDatabase.open(copy)) {
      Findings found =
          Audit.of(database, Ledger.empty(), expected(database, likeACrash), 1).findings();
      if (!found.clean()) {
        tally.findings.broken("%s, which the engine did not report: %s".formatted(what, found));
      }
    } catch (StorageException report) {
      reported++;
      tally.reported();
      boolean clear =
          report.kind() == StorageException.Kind.DAMAGED
              || report.kind() == StorageException.Kind.WRONG_FORMAT;
      if (!clear || !FileCuts.sizes(copy).equals(before)) {
        tally.findings.broken(
            "%s, upon which the engine says %s and has left %s of %s"
                .formatted(what, report, FileCuts.sizes(copy), before));
      }
    }
    if (tally.findings.clean()) {
      Workspace.delete(copy);
    }
  }

  /** What must be there: all, or whatever is older than the newest that is. */
  private List<Message.Acknowledged> expected(EmbeddedDatabase database, boolean likeACrash) {
    if (!likeACrash) {
      return acknowledged;
    }
    List<KeyValue> last = database.read(tx -> tx.scan(Layout.LOG).reverse().limit(1).list());
    if (last.isEmpty()) {
      return List.of();
    }
    Versionstamp newest = Layout.logStamp(last.getFirst().key());
    return acknowledged.stream().filter(told -> told.stamp().compareTo(newest) <= 0).toList();
  }
}
