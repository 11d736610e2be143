package dev.tidemark.chaos.ledger;

import dev.tidemark.chaos.run.Findings;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Versionstamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The comparison of a database with what was known about it and what was acknowledged since.
 *
 * <p>It replays the log in commit order: every commit must carry its writer's next number, leave
 * the balances that it says it left, and be found in the index. In the end the stored balances must
 * be the replayed ones, and every acknowledged commit must have been found.
 */
public final class Audit {
  private static final int PORTION = 2_000;

  private final EmbeddedDatabase database;
  private final Ledger before;
  private final Ledger ledger;
  private final Findings findings = new Findings();
  private final Map<Long, Versionstamp> present = new HashMap<>();

  private Audit(EmbeddedDatabase database, Ledger before) {
    this.database = database;
    this.before = before;
    this.ledger = before.copy();
  }

  /** The state of the database and whatever is wrong with it. */
  public record Result(Ledger ledger, Findings findings) {}

  /**
   * Checks everything since {@code before}, and that all of {@code acknowledged} is there. Each of
   * the {@code processes} that were killed meanwhile may have made one commit of each writer
   * without reporting it.
   */
  public static Result of(
      EmbeddedDatabase database,
      Ledger before,
      List<Message.Acknowledged> acknowledged,
      int processes) {
    Audit audit = new Audit(database, before);
    database.verify();
    audit.replay(true);
    audit.checkIndex();
    audit.checkBalances();
    audit.checkCounters();
    audit.checkVersions(acknowledged);
    audit.checkAcknowledged(acknowledged);
    audit.checkUnacknowledged(acknowledged, processes);
    return new Result(audit.ledger, audit.findings);
  }

  /** Checks everything from the first commit on, and that it is exactly what {@code known} says. */
  public static Findings complete(EmbeddedDatabase database, Ledger known) {
    Audit audit = new Audit(database, Ledger.empty());
    audit.replay(false);
    audit.checkIndex();
    audit.checkBalances();
    audit.checkCounters();
    if (!audit.ledger.agrees(known)) {
      audit.findings.broken(
          "a complete replay gives %,d commits up to %s, not the %,d up to %s seen before"
              .formatted(
                  audit.ledger.commits(), audit.ledger.newest(), known.commits(), known.newest()));
    }
    return audit.findings;
  }

  private void replay(boolean remember) {
    Key from = before.commits() == 0 ? Layout.LOG.begin() : Layout.log(before.newest()).next();
    List<KeyValue> rows = rows(KeyRange.of(from, Layout.LOG.end()));
    while (!rows.isEmpty()) {
      Map<Key, byte[]> index = indexOf(rows);
      for (KeyValue row : rows) {
        Versionstamp stamp = Layout.logStamp(row.key());
        Entry entry = Entry.decode(row.value());
        replay(stamp, entry, index);
        if (remember) {
          present.put(identity(entry.writer(), entry.sequence()), stamp);
        }
      }
      rows = rows(KeyRange.of(rows.getLast().key().next(), Layout.LOG.end()));
    }
  }

  private void replay(Versionstamp stamp, Entry entry, Map<Key, byte[]> index) {
    int writer = entry.writer();
    long sequence = entry.sequence();
    if (sequence != ledger.sequence(writer) + 1) {
      findings.broken(
          "writer %d has number %d at %s after number %d"
              .formatted(writer, sequence, stamp, ledger.sequence(writer)));
    }
    byte[] indexed = index.get(Layout.index(writer, sequence));
    if (indexed == null || !Versionstamp.fromBytes(indexed).equals(stamp)) {
      findings.torn(
          "writer %d, number %d is in the log at %s only".formatted(writer, sequence, stamp));
    }
    if (entry instanceof Entry.Transfer transfer) {
      Entry.Move move = transfer.move();
      if (ledger.move(move.from(), -move.amount()) != transfer.fromBalance()
          || ledger.move(move.to(), move.amount()) != transfer.toBalance()) {
        findings.torn(
            "the transfer %s at %s did not meet the balances replayed".formatted(transfer, stamp));
      }
    }
    ledger.add(stamp, entry);
  }

  /** The index may hold no commit that the log does not. */
  private void checkIndex() {
    for (int writer = 0; writer < Layout.WRITERS; writer++) {
      long next = before.sequence(writer) + 1;
      List<KeyValue> rows = rows(Layout.indexFrom(writer, next));
      while (!rows.isEmpty()) {
        next = Layout.sequence(rows.getLast().key()) + 1;
        rows = rows(Layout.indexFrom(writer, next));
      }
      if (next - 1 != ledger.sequence(writer)) {
        findings.torn(
            "writer %d has index entries up to %d, log entries up to %d"
                .formatted(writer, next - 1, ledger.sequence(writer)));
      }
    }
  }

  private void checkBalances() {
    long[] replayed = ledger.balances();
    long[] stored = Accounts.balances(database).orElse(new long[0]);
    if (stored.length == 0) {
      if (ledger.commits() > 0) {
        findings.lost("there are %,d commits and no accounts".formatted(ledger.commits()));
      }
      return;
    }
    long sum = 0;
    for (int account = 0; account < Layout.ACCOUNTS; account++) {
      sum += stored[account];
      if (stored[account] != replayed[account]) {
        findings.torn(
            "account %d holds %d; its transfers make it %d"
                .formatted(account, stored[account], replayed[account]));
      }
    }
    if (sum != Accounts.SUM) {
      findings.broken("all accounts hold %d together, not %d".formatted(sum, Accounts.SUM));
    }
  }

  private void checkCounters() {
    for (int number = 0; number < Layout.COUNTERS; number++) {
      Key key = Layout.counter(number);
      long stored = database.read(tx -> tx.get(key)).map(Layout::count).orElse(0L);
      if (stored != ledger.counter(number)) {
        findings.torn(
            "counter %d is %d; its commits make it %d"
                .formatted(number, stored, ledger.counter(number)));
      }
    }
  }

  private void checkVersions(List<Message.Acknowledged> acknowledged) {
    long version = database.read(tx -> tx.readVersion());
    if (version < ledger.newest().version()) {
      findings.broken(
          "the database is at version %d, older than its commit %s"
              .formatted(version, ledger.newest()));
    }
    for (Message.Acknowledged commit : acknowledged) {
      if (commit.stamp().compareTo(before.newest()) <= 0) {
        findings.broken(
            "%s is not after %s of an earlier round".formatted(commit, before.newest()));
      }
    }
  }

  private void checkAcknowledged(List<Message.Acknowledged> acknowledged) {
    for (Message.Acknowledged commit : acknowledged) {
      Versionstamp stamp = present.get(identity(commit.writer(), commit.sequence()));
      if (stamp == null) {
        findings.lost(String.valueOf(commit));
      } else if (!stamp.equals(commit.stamp())) {
        findings.broken("%s is there at %s".formatted(commit, stamp));
      }
    }
  }

  /** A writer can be at most one commit ahead of what it has told in a process. */
  private void checkUnacknowledged(List<Message.Acknowledged> acknowledged, int processes) {
    long[] told = new long[Layout.WRITERS];
    for (int writer = 0; writer < told.length; writer++) {
      told[writer] = before.sequence(writer);
    }
    for (Message.Acknowledged commit : acknowledged) {
      told[commit.writer()] = Math.max(told[commit.writer()], commit.sequence());
    }
    for (int writer = 0; writer < told.length; writer++) {
      if (ledger.sequence(writer) > told[writer] + processes) {
        findings.broken(
            "writer %d has number %d, but told of no more than %d"
                .formatted(writer, ledger.sequence(writer), told[writer]));
      }
    }
  }

  private Map<Key, byte[]> indexOf(List<KeyValue> logRows) {
    List<Key> keys = new ArrayList<>(logRows.size());
    for (KeyValue row : logRows) {
      Entry entry = Entry.decode(row.value());
      keys.add(Layout.index(entry.writer(), entry.sequence()));
    }
    return database.read(tx -> tx.getAll(keys));
  }

  /** The first rows of {@code range}, each portion in a transaction of its own. */
  private List<KeyValue> rows(KeyRange range) {
    return database.read(tx -> tx.scan(range).limit(PORTION).list());
  }

  private static long identity(int writer, long sequence) {
    return sequence * Layout.WRITERS + writer;
  }
}
