package dev.tidemark.foundationdb;

import com.apple.foundationdb.Database;
import dev.tidemark.foundationdb.internal.facade.FacadeDatabase;
import dev.tidemark.foundationdb.internal.facade.FdbClass;

/**
 * Our store as FoundationDB's: any layer for FoundationDB in Java runs on it, with no cluster and
 * no native library.
 *
 * <p>Reads are answered in the calling thread, and their futures are complete when they are
 * returned. Commits, watches, versionstamps and pauses between attempts are asynchronous; their
 * continuations run in the executor of the transaction, virtual threads unless another one is
 * given.
 *
 * <p>fdb-java's class {@code FDB} fails for good when it is loaded without the native library, and
 * layers load it for their error predicates and versionstamps. Where the library is missing, the
 * first use of this class defines a substitute, so it has to come before anything else of fdb-java
 * is called. Where the library is there, the class is the real one, and a program that packs
 * versionstamps into tuples calls {@code FDB.selectAPIVersion} first.
 */
public final class FdbFacade {
  private FdbFacade() {}

  /**
   * {@code database} as fdb-java's interface. Closing the result ends its use and leaves {@code
   * database} open.
   *
   * @throws IllegalStateException if class {@code FDB} was loaded before and has failed
   */
  public static Database of(dev.tidemark.kv.Database database) {
    FdbClass.prepare();
    return FacadeDatabase.of(database);
  }

  /**
   * {@link #of}, except that the executor of the transaction completes the futures of reads too;
   * the reads themselves are done in the calling thread. For programs that loop over reads with
   * {@code AsyncUtil.whileTrue} and rely on getting control back meanwhile. Each read costs a task.
   *
   * @throws IllegalStateException if class {@code FDB} was loaded before and has failed
   */
  public static Database withReadsApart(dev.tidemark.kv.Database database) {
    FdbClass.prepare();
    return FacadeDatabase.answeringApart(database);
  }

  /**
   * Makes {@code FDB.selectAPIVersion(...).open(...)} return {@link #of} this database from now on,
   * whatever cluster file is named, for layers that open FoundationDB themselves. A later call
   * replaces the database; transactions that were begun before stay with theirs.
   *
   * @throws IllegalStateException if the native library is there, so that {@code open} leads to a
   *     real cluster, or if class {@code FDB} was loaded before and has failed
   */
  public static void install(dev.tidemark.kv.Database database) {
    FdbClass.openWith(executor -> FacadeDatabase.of(database, executor));
  }
}
