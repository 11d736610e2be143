package dev.tidemark.chaos.records;

import dev.tidemark.chaos.run.Campaign;
import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Progress;
import dev.tidemark.chaos.run.Settings;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Limits;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.maintenance.OnlineIndexer;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The run {@code chaos records}: a process that writes records and builds their indexes is killed
 * and started again, on a database whose commits fail.
 */
public final class RecordsChaos implements Campaign.Rounds {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The audit reads everything at one version, which may take long on a busy machine. */
  private static final Duration AUDIT = Duration.ofMinutes(5);

  private static final int EARLY_ONE_IN = 8;
  private static final int EARLY_MILLIS = 900;

  private final Settings settings;
  private final PrintStream out;
  private final RecordsTally tally = new RecordsTally();

  public RecordsChaos(Settings settings, PrintStream out) {
    this.settings = settings;
    this.out = out;
  }

  /** Runs all rounds; true if nothing was found. */
  public boolean run() {
    return new Campaign("records", settings, tally, out, new Progress(out, 1)).run(this);
  }

  @Override
  public String play(int number, Workspace workspace, SplittableRandom random)
      throws InterruptedException {
    Path directory = workspace.path("database");
    boolean early = random.nextInt(EARLY_ONE_IN) == 0;
    long millis = random.nextLong(early ? EARLY_MILLIS : settings.longestRun().toMillis());
    List<Message.Acknowledged> acknowledged;
    try (ChildProcess child = ItemChild.start(workspace, directory, random.nextLong())) {
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
      tally.add(child);
    }
    String left = audit(directory, acknowledged, random.nextBoolean());
    return "killed %d ms after %s with %,d acknowledged, %s"
        .formatted(millis, early ? "its start" : "its first commit", acknowledged.size(), left);
  }

  /** Checks everything; what was being built is left to the next process, or built first. */
  private String audit(Path directory, List<Message.Acknowledged> acknowledged, boolean finish) {
    try (EmbeddedDatabase database =
        EmbeddedDatabase.open(
            directory, o -> o.withLimits(Limits.DEFAULTS.withReadWindow(AUDIT)))) {
      RecordStore<Item> store = Items.open(database);
      List<String> unfinished = Items.unfinished(store);
      if (finish && !unfinished.isEmpty()) {
        tally.resumed();
        build(store, unfinished);
      }
      tally.findings.addAll(ItemAudit.of(database, acknowledged));
      return "%d indexes half built%s".formatted(unfinished.size(), finish ? ", now whole" : "");
    }
  }

  private static void build(RecordStore<Item> store, List<String> indexes) {
    try (OnlineIndexer indexer =
        OnlineIndexer.of(store.space(), o -> o.withIndexes(indexes.toArray(String[]::new)))) {
      indexer.build();
    }
  }

  @Override
  public void finish(Workspace workspace) {
    audit(workspace.path("database"), List.of(), true);
  }
}
