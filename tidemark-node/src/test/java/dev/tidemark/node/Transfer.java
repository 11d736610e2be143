package dev.tidemark.node;

// tag::program
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Subspace;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Tuple;
import java.nio.file.Path;

class Transfer {
  static final Subspace ACCOUNTS = Subspace.of("accounts");

  static void pay(Transaction tx, String from, String to, long amount) {
    long funds = tx.get(ACCOUNTS.pack(from)).map(Tuple::unpack).orElseThrow().getLong(0);
    long target = tx.get(ACCOUNTS.pack(to)).map(Tuple::unpack).orElse(Tuple.of(0)).getLong(0);
    tx.set(ACCOUNTS.pack(from), Tuple.of(funds - amount).pack());
    tx.set(ACCOUNTS.pack(to), Tuple.of(target + amount).pack());
  }

  public static void main(String[] args) {
    try (Database db = EmbeddedDatabase.open(Path.of(args[0]))) {
      db.run(tx -> tx.set(ACCOUNTS.pack("ann"), Tuple.of(100).pack()));
      db.run(tx -> pay(tx, "ann", "bob", 30)); // runs again if another commit gets in between
      for (KeyValue row : db.read(tx -> tx.scan(ACCOUNTS.range()).list())) {
        System.out.println(ACCOUNTS.unpack(row.key()) + " has " + Tuple.unpack(row.value()));
      }
    }
  }
}
// end::program
