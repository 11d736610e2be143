package dev.tidemark.chaos.engine;

import dev.tidemark.chaos.ledger.Accounts;
import dev.tidemark.chaos.ledger.Audit;
import dev.tidemark.chaos.ledger.Ledger;
import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.StorageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A round in which the disk of a fresh database fills up, and is freed again. */
final class FullDiskRound {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration AFTERWARDS = Duration.ofMillis(200);
  private static final int PADDING = 4_000;
  private static final long[] WRITE_BUFFERS = {0, 1 << 20, 4 << 20};

  private final Workspace workspace;
  private final SplittableRandom random;
  private final EngineTally tally;
  private final List<Message.Acknowledged> acknowledged = new ArrayList<>();
  private String notes = "";

  FullDiskRound(Workspace workspace, SplittableRandom random, EngineTally tally) {
    this.workspace = workspace;
    this.random = random;
    this.tally = tally;
  }

  /** What happened, for people. */
  String notes() {
    return notes;
  }

  void run() throws InterruptedException {
    try (SmallDisk disk = SmallDisk.open(workspace.path("small"))) {
      tally.fullDisk(disk.name());
      String how = fill(disk);
      notes =
          "disk full (%s), commits go on %s, %,d acknowledged"
              .formatted(disk.name(), how, acknowledged.size());
      tally.acknowledged(acknowledged.size());
      audit(disk);
    }
    Workspace.delete(workspace.path("small"));
  }

  private String fill(SmallDisk disk) throws InterruptedException {
    long writeBuffer = WRITE_BUFFERS[random.nextInt(WRITE_BUFFERS.length)];
    Child.Order order = new Child.Order(disk.directory(), writeBuffer, PADDING, random.nextLong());
    String how = "in place";
    try (ChildProcess child = Child.start(workspace, disk.prefix(), order)) {
      expectFull(child, disk);
      boolean inPlace = disk.free();
      if (inPlace) {
        how = expectCommitsAgain(child);
      }
      end(child);
      if (inPlace) {
        return how;
      }
    }
    try (ChildProcess child = Child.start(workspace, List.of(), order)) {
      if (!child.awaitFirstCommit(PATIENCE)) {
        tally.findings.broken("no commit after the limit was gone: %s".formatted(child.errors()));
      }
      end(child);
    }
    return "in a new process";
  }

  private void expectFull(ChildProcess child, SmallDisk disk) throws InterruptedException {
    String kind =
        child.await(Message.Stopped.class, PATIENCE).map(Message.Stopped::kind).orElse("nothing");
    // A limit on files is an error of its own kind to the system, so the engine may name it so.
    boolean named =
        kind.equals(StorageException.Kind.DISK_FULL.name())
            || (disk instanceof SmallDisk.FileLimit
                && kind.equals(StorageException.Kind.IO_ERROR.name()));
    if (!named) {
      tally.findings.broken(
          "the disk is full and commits fail with %s, not DISK_FULL; the child says: %s"
              .formatted(kind, child.errors()));
    }
    long sum = child.await(Message.Read.class, PATIENCE).map(Message.Read::sum).orElse(-1L);
    if (sum != Accounts.SUM) {
      tally.findings.broken(
          "reads on a full disk give the sum %d, not %d; the child says: %s"
              .formatted(sum, Accounts.SUM, child.errors()));
    }
  }

  private String expectCommitsAgain(ChildProcess child) throws InterruptedException {
    child.say(Child.FREED);
    String how =
        child.await(Message.Resumed.class, PATIENCE).map(Message.Resumed::how).orElse("never");
    if (how.equals("never")) {
      tally.findings.broken("commits fail after space was freed: %s".formatted(child.errors()));
    }
    return how;
  }

  private void end(ChildProcess child) throws InterruptedException {
    Thread.sleep(AFTERWARDS);
    child.kill();
    acknowledged.addAll(child.acknowledged());
    child.complaints().forEach(text -> tally.findings.broken(text));
  }

  /** Recovery needs space itself, so the files are looked at elsewhere. */
  private void audit(SmallDisk disk) {
    Path copy = workspace.path("copy");
    Workspace.copy(disk.directory(), copy);
    int processes = disk instanceof SmallDisk.FileLimit ? 2 : 1;
    try (EmbeddedDatabase database = EmbeddedDatabase.open(copy)) {
      tally.findings.addAll(Audit.of(database, Ledger.empty(), acknowledged, processes).findings());
    }
    if (tally.findings.clean()) {
      Workspace.delete(copy);
    }
  }
}
