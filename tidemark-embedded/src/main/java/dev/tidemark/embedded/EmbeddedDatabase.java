package dev.tidemark.embedded;

import dev.tidemark.embedded.internal.Engine;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MetadataVersion;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.backup.BackupSource;
import dev.tidemark.kv.backup.BackupTarget;
import dev.tidemark.kv.copy.VersionAdvance;
import dev.tidemark.kv.spi.MicrosecondVersions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A database in this process: in a directory, or in memory.
 *
 * <p>A commit has reached the disk when {@link Transaction#commit} returns, unless {@link
 * EmbeddedOptions#sync} was turned off. After a crash at any moment every acknowledged commit is
 * there, and no commit is there in part. The result of a commit is known, unless the disk fails
 * while it is written ({@link StorageException#maybeCommitted}).
 *
 * <p>A directory is open once at a time; share the database among all threads of the process. Using
 * a database after {@link #close} throws, also for transactions that were open.
 */
public final class EmbeddedDatabase implements Database, BackupSource, VersionAdvance {
  /** Half of the versions are left then, for 146,000 years. */
  private static final long VERSION_MAX = Long.MAX_VALUE / 2;

  private final Engine engine;

  private EmbeddedDatabase(Engine engine) {
    this.engine = engine;
  }

  /**
   * Opens the database in {@code directory}; creates one if the directory is empty or absent.
   *
   * @throws StorageException if the directory is in use, damaged, of another version, not a
   *     database or not writable; {@link StorageException#kind} says which
   */
  public static EmbeddedDatabase open(Path directory) {
    return open(directory, UnaryOperator.identity());
  }

  /** {@link #open(Path)} with other options. */
  public static EmbeddedDatabase open(Path directory, UnaryOperator<EmbeddedOptions> change) {
    return new EmbeddedDatabase(
        Engine.open(directory.toAbsolutePath(), change.apply(EmbeddedOptions.DEFAULTS)));
  }

  /** Opens an empty database that keeps everything in memory and forgets it when closed. */
  public static EmbeddedDatabase inMemory() {
    return inMemory(UnaryOperator.identity());
  }

  /** {@link #inMemory()} with other options. */
  public static EmbeddedDatabase inMemory(UnaryOperator<EmbeddedOptions> change) {
    return new EmbeddedDatabase(Engine.inMemory(change.apply(EmbeddedOptions.DEFAULTS)));
  }

  /**
   * Makes {@code directory}, which must be empty or absent, a database from a backup. Every file is
   * checked against its checksum.
   *
   * @throws StorageException if the backup is incomplete or damaged
   */
  public static void restore(Path backup, Path directory) {
    Engine.restore(backup.toAbsolutePath(), directory.toAbsolutePath());
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    return engine.begin(options);
  }

  @Override
  public long estimatedSize(KeyRange range) {
    return engine.estimatedSize(range);
  }

  @Override
  public List<Key> splitPoints(KeyRange range, long pieceBytes) {
    return engine.splitPoints(range, pieceBytes);
  }

  /** False: in the same process a commit is in doubt only when the disk itself fails. */
  @Override
  public boolean commitCanBeUnknown() {
    return false;
  }

  /** Versions of an embedded database are microseconds since 1970-01-01T00:00:00Z. */
  @Override
  public Instant timeOf(long version) {
    return MicrosecondVersions.timeOf(version);
  }

  @Override
  public long versionAt(Instant instant) {
    return MicrosecondVersions.versionAt(instant);
  }

  @Override
  public Limits limits() {
    return engine.options().limits();
  }

  @Override
  public TimeSource time() {
    return engine.options().time();
  }

  /** The options that this database was opened with. */
  public EmbeddedOptions options() {
    return engine.options();
  }

  /** What the database has done since it was opened, and what it holds. */
  public EngineStatistics statistics() {
    return engine.statistics();
  }

  @Override
  public void backup(BackupTarget target) {
    engine.backup(target);
  }

  /**
   * Makes every later commit get a version greater than {@code version}. Versions are times here:
   * {@link #timeOf} answers later times than the clock until the clock has caught up.
   */
  @Override
  public void advanceVersion(long version) {
    if (version > VERSION_MAX) {
      throw UsageException.invalidOperation(
          "Version %d is too large: versions grow by a million a second, and %d is the end"
              .formatted(version, Long.MAX_VALUE));
    }
    if (read(ReadTransaction::readVersion) < version) {
      engine.advance(version);
      run(MetadataVersion::change); // The store keeps the version of its last commit.
    }
  }

  /**
   * Reads all files and compares their checksums.
   *
   * @throws StorageException of kind {@code DAMAGED} if one does not match
   */
  public void verify() {
    engine.verify();
  }

  @Override
  public void close() {
    engine.close();
  }
}
