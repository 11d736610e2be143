package dev.tidemark.testkit.decorate;

import dev.tidemark.kv.Database;
import java.util.List;

/** A database that closes what lies below it when it is closed itself, such as its server. */
public class Owning extends ForwardingDatabase {
  private final List<AutoCloseable> ownedBelow;

  Owning(Database database, List<AutoCloseable> ownedBelow) {
    super(database);
    this.ownedBelow = ownedBelow;
  }

  /** {@code database}, with which {@code ownedBelow} is closed, in that order. */
  public static Owning over(Database database, AutoCloseable... ownedBelow) {
    return new Owning(database, List.of(ownedBelow));
  }

  @Override
  public void close() {
    super.close();
    for (AutoCloseable owned : ownedBelow) {
      try {
        owned.close();
      } catch (Exception failure) {
        throw new AssertionError("What lies below " + delegate + " could not be closed", failure);
      }
    }
  }
}
