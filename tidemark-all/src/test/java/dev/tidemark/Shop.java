package dev.tidemark;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.query.Query;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

// tag::program
class Shop {
  public static void main(String[] args) throws InterruptedException {
    try (Tidemark tidemark = Tidemark.open(Path.of(args[0]))) { // or "tidemark://host:7420"
      RecordStore<Order> orders = tidemark.records(OrderStore::open);
      EventStream events = tidemark.stream("orders");
      ReplicatedMap<String, String> totals = tidemark.map("totals");
      PoolNode mail = tidemark.pool("mail");
      CountDownLatch sent = new CountDownLatch(1);
      mail.addRunner(job -> sent.countDown()); // on any node of the pool; survives a crash

      tidemark.run( // one commit: record and index, event, entry of the map, job; or none of them
          tx -> {
            orders.insert(tx, new Order(7, "ann", 30));
            events.add(tx, "order.placed", "", "7".getBytes(UTF_8));
            totals.increment(tx, "ann", 30);
            mail.dispatch(tx, "thank you for 7", "ann".getBytes(UTF_8));
          });

      Query<Order> query = orders.query().where(Order_.CUSTOMER.eq("ann"), Order_.TOTAL.ge(20L));
      List<Order> large = tidemark.read(tx -> query.orderBy(Order_.TOTAL.desc()).list(tx));
      System.out.println(large);
      System.out.println("mail sent: " + sent.await(30, TimeUnit.SECONDS));
    }
  }
}
// end::program
