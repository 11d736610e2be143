package dev.tidemark.chaos.ledger;

import dev.tidemark.chaos.run.Message;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.Versionstamp;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One thread of a child. It counts its commits and goes on with the next number only when the
 * previous one is known to be there.
 */
public final class Writer implements Runnable {
  private final Consumer<Message> parent;
  private final Database database;
  private final Committer committer;
  private final int number;
  private final Deed.Kind kind;
  private final SplittableRandom random;
  private long told;
  private @Nullable StorageException failure;

  /**
   * A writer that goes on after the number {@code told}, or after the last stored if that is -1.
   */
  public Writer(
      Consumer<Message> parent,
      Database database,
      Committer committer,
      int number,
      long told,
      Deed.Kind kind,
      SplittableRandom random) {
    this.parent = parent;
    this.database = database;
    this.committer = committer;
    this.number = number;
    this.told = told;
    this.kind = kind;
    this.random = random;
  }

  /** The last number that the parent knows of. To be asked after the writer's end. */
  public long told() {
    return told;
  }

  /** The failure of the medium that stopped the writer, if one did. To be asked after its end. */
  public Optional<StorageException> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public void run() {
    try {
      if (told < 0) {
        told = takeOver();
      }
      while (true) {
        Deed deed = Deed.draw(random, number, told + 1, kind);
        Versionstamp stamp = committer.commit(deed);
        parent.accept(new Message.Acknowledged(number, deed.sequence(), stamp));
        told++;
      }
    } catch (StorageException stopped) {
      failure = stopped;
    } catch (RuntimeException unexpected) {
      parent.accept(new Message.Complaint("Writer %d: %s".formatted(number, unexpected)));
    }
  }

  /**
   * Finds the last number, and shuts out commits that a killed process of this writer may still
   * have under way to a server.
   */
  private long takeOver() {
    return database.transact(
        tx -> {
          tx.set(Layout.owner(number), new byte[0]);
          return tx.scan(Layout.indexFrom(number, 0))
              .reverse()
              .first()
              .map(row -> Layout.sequence(row.key()))
              .orElse(0L);
        });
  }
}
