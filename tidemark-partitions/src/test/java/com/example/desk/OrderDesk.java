package com.example.desk;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.kv.Codec;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.Actor;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.Outcome;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.records.RecordStore;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sells what is in stock. Requests: {@code stock ITEM COUNT} and {@code order ITEM COUNT ORDER}.
 */
final class OrderDesk implements Actor<String, String> {
  private final RecordStore<Order> orders;
  private final EventStream events;
  private final PoolClient shipping;
  private final Map<String, Long> stock = new TreeMap<>();

  OrderDesk(RecordStore<Order> orders, EventStream events, PoolClient shipping) {
    this.orders = orders;
    this.events = events;
    this.shipping = shipping;
  }

  static ActorType<String, String> type(
      RecordStore<Order> orders, EventStream events, PoolClient shipping) {
    return ActorType.of(
        "desk", Codec.TEXT, Codec.TEXT, context -> new OrderDesk(orders, events, shipping));
  }

  @Override
  public Outcome<String> receive(String request) {
    String[] words = request.split(" ", -1);
    String item = words[1];
    long count = Long.parseLong(words[2]);
    if (words[0].equals("stock")) {
      return changed(item, count);
    }
    if (stock.getOrDefault(item, 0L) < count) {
      return Outcome.refuse("There are not " + count + " of " + item + " left");
    }
    Order order = new Order(words[3], item, count);
    return changed(item, -count)
        .effects( // one commit: the log entry, the record, the event and the job
            tx -> {
              orders.insert(tx, order);
              events.add(tx, "ordered", item, order.id().getBytes(UTF_8));
              shipping.dispatch(tx, order.id(), item.getBytes(UTF_8));
            });
  }

  private Outcome<String> changed(String item, long difference) {
    long left = stock.merge(item, difference, Long::sum);
    return Outcome.answer(Long.toString(left)).log((item + " " + difference).getBytes(UTF_8));
  }

  @Override
  public void replay(byte[] entry) {
    String[] words = new String(entry, UTF_8).split(" ", -1);
    stock.merge(words[0], Long.parseLong(words[1]), Long::sum);
  }

  @Override
  public void export(PartitionRange range, OutputStream target) throws IOException {
    DataOutputStream out = new DataOutputStream(target);
    for (Map.Entry<String, Long> entry : stock.entrySet()) {
      if (range.contains(Key.utf8(entry.getKey()))) {
        out.writeUTF(entry.getKey());
        out.writeLong(entry.getValue());
      }
    }
    out.writeUTF("");
  }

  @Override
  public void load(InputStream source) throws IOException {
    DataInputStream in = new DataInputStream(source);
    for (String item = in.readUTF(); !item.isEmpty(); item = in.readUTF()) {
      stock.put(item, in.readLong());
    }
  }
}
