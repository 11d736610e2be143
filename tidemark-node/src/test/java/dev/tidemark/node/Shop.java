package dev.tidemark.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.PoolNode;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.records.Query;
import dev.tidemark.records.RecordStore;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

// tag::program
class Shop {
  public static void main(String[] args) throws InterruptedException {
    try (Database db = EmbeddedDatabase.open(Path.of(args[0]));
        Pulse pulse = Pulse.on(db);
        PoolNode mail = pulse.pool("mail")) {
      RecordStore<Order> orders = OrderStore.open(db);
      EventStream events = pulse.stream("orders");
      CountDownLatch sent = new CountDownLatch(1);
      mail.addRunner(job -> sent.countDown()); // on any node of the pool; survives a crash

      db.run( // one commit: the record and its index, the event, the job; or none of them
          tx -> {
            orders.insert(tx, new Order(7, "ann", 30));
            events.add(tx, "order.placed", "", "7".getBytes(UTF_8));
            mail.dispatch(tx, "thank you for 7", "ann".getBytes(UTF_8));
          });

      Query<Order> query = orders.query().where(Order_.CUSTOMER.eq("ann"), Order_.TOTAL.ge(20L));
      List<Order> large = db.read(tx -> query.orderBy(Order_.TOTAL.desc()).list(tx));
      System.out.println(large);
      System.out.println("mail sent: " + sent.await(10, TimeUnit.SECONDS));
    }
  }
}
// end::program
