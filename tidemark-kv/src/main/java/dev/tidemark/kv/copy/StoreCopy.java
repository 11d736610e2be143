package dev.tidemark.kv.copy;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MetadataVersion;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.copy.CopyProgress.Phase;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Copies all rows of one store to another, of the same engine or of a different one.
 *
 * <p>Stop what writes to the source first: a copy takes longer than a store keeps one version, so
 * it reads many. Writes that come nevertheless are reported where they show: the source, or a row,
 * is another one at the end. Nothing may use the target before {@link #run} has returned.
 *
 * <p>The target must be empty. A run that was interrupted leaves a note there, and the next one
 * goes on from it. Rows that a store keeps for itself, below {@code fd} {@code tidemark/}, are left
 * out.
 *
 * <p>Versionstamps in the source must not be later than those that the target will give: events
 * that are added would sort before those that are there. A target whose versions are behind is
 * advanced if it can be ({@link VersionAdvance}); otherwise {@link #run} refuses, and says what to
 * do.
 */
public final class StoreCopy {
  private static final Key NOTE =
      Rows.OWN.begin().append("copy".getBytes(StandardCharsets.US_ASCII));

  private final Database source;
  private final Database target;
  private final Consumer<CopyProgress> progress;

  private StoreCopy(Database source, Database target, Consumer<CopyProgress> progress) {
    this.source = source;
    this.target = target;
    this.progress = progress;
  }

  /** A copy of {@code source} to {@code target}; nothing is done yet. */
  public static StoreCopy of(Database source, Database target) {
    return new StoreCopy(source, target, told -> {});
  }

  /** This copy, which tells {@code other} after each step how far it is. */
  public StoreCopy withProgress(Consumer<CopyProgress> other) {
    return new StoreCopy(source, target, other);
  }

  /**
   * Copies what has not been copied yet, and compares both stores row by row.
   *
   * @throws UsageException if the target has rows of its own or versions that are behind, or if the
   *     stores differ at the end
   */
  public CopyReport run() {
    long version = source.read(ReadTransaction::readVersion);
    Optional<byte[]> note = target.read(tx -> tx.get(NOTE));
    if (note.isEmpty()) {
      requireEmpty();
    }
    advance(version);
    Key begin = note.map(Key::of).orElse(Key.EMPTY);
    long copied = copyFrom(begin);
    CopyReport compared = compare();
    if (commitsShow() && source.read(ReadTransaction::readVersion) != version) {
      throw UsageException.invalidOperation(
          "The source was written while it was copied. Stop what writes to it, empty the target and"
              + " copy it again");
    }
    target.run(
        tx -> {
          tx.clear(NOTE);
          MetadataVersion.change(tx); // Programs that have cached the empty store read it again.
        });
    return new CopyReport(compared.rows(), compared.bytes(), copied, version);
  }

  /**
   * Compares both stores row by row.
   *
   * @throws UsageException if they differ; the message names the first row
   */
  public CopyReport compare() {
    long version = source.read(ReadTransaction::readVersion);
    Counter counter = new Counter(Phase.COMPARING);
    Key next = Key.EMPTY;
    Rows rows;
    do {
      rows = Rows.from(source, next);
      requireSame(rows.list(), rows.in(target));
      counter.count(rows);
      next = rows.covered().end();
    } while (!rows.isLast());
    return new CopyReport(counter.rows, counter.bytes, 0, version);
  }

  /** Whether the source's version stands still while nobody commits, as an embedded one's does. */
  private boolean commitsShow() {
    return source instanceof VersionAdvance;
  }

  private void requireEmpty() {
    Rows first = Rows.from(target, Key.EMPTY);
    boolean empty = first.list().isEmpty();
    if (empty && !first.isLast()) {
      empty = Rows.from(target, first.covered().end()).list().isEmpty();
    }
    if (!empty) {
      throw UsageException.invalidOperation(
          "The target is not empty, and no copy to it was interrupted. Copy to an empty store");
    }
  }

  private void advance(long version) {
    if (target instanceof VersionAdvance able) {
      able.advanceVersion(version);
    }
    long reached = target.read(ReadTransaction::readVersion);
    if (reached < version) {
      // Of an embedded store versions are times: one of now keeps the times of old ones right.
      long enough = Math.max(version, source.versionAt(source.time().instant()));
      throw UsageException.invalidOperation(
          ("The source has come to version %d and the target only to %d: what is added there would"
                  + " sort before what was copied, and streams would lose it. On a FoundationDB"
                  + " cluster run first: fdbcli --exec \"advanceversion %d\". Copy to an embedded"
                  + " store in its own process, not through a server")
              .formatted(version, reached, enough));
    }
  }

  private long copyFrom(Key begin) {
    Counter counter = new Counter(Phase.COPYING);
    Key next = begin;
    while (next.compareTo(KeyRange.ALL.end()) < 0) {
      Rows rows = Rows.from(source, next);
      // Done twice, it comes to the same: a commit whose result is unknown does no harm.
      target.run(
          tx -> {
            tx.clear(rows.covered());
            rows.list().forEach(row -> tx.set(row.key(), row.value()));
            tx.set(NOTE, rows.covered().end().toByteArray());
          });
      counter.count(rows);
      next = rows.covered().end();
    }
    return counter.rows;
  }

  private static void requireSame(List<KeyValue> expected, List<KeyValue> found) {
    Iterator<KeyValue> there = found.iterator();
    for (KeyValue row : expected) {
      KeyValue other = there.hasNext() ? there.next() : null;
      if (other == null
          || !row.key().equals(other.key())
          || !Arrays.equals(row.value(), other.value())) {
        throw differs(row.key());
      }
    }
    if (there.hasNext()) {
      throw differs(there.next().key());
    }
  }

  private static UsageException differs(Key key) {
    return UsageException.invalidOperation(
        ("The two stores differ at the key %s or before it. Were programs writing to one of them?"
                + " Stop them, empty the target and copy again")
            .formatted(key));
  }

  /** Counts what a phase has gone through, and tells. */
  private final class Counter {
    private final Phase phase;
    private final long estimated = source.estimatedSize(KeyRange.ALL);
    private long rows;
    private long bytes;

    Counter(Phase phase) {
      this.phase = phase;
    }

    void count(Rows some) {
      rows += some.list().size();
      bytes += some.bytes();
      progress.accept(new CopyProgress(phase, rows, bytes, Math.max(bytes, estimated)));
    }
  }
}
