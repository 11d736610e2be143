package com.example.desk;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.kv.Codec;
import dev.tidemark.partitions.Actor;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.Effects;
import dev.tidemark.partitions.Outcome;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.records.RecordStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** A desk that fails while the effects of the second order are under way, after so many of them. */
final class FailingDesk implements Actor<String, String> {
  private final OrderDesk desk;
  private final RecordStore<Order> orders;
  private final EventStream events;
  private final PoolClient shipping;
  private final int failAfter;

  private FailingDesk(
      RecordStore<Order> orders, EventStream events, PoolClient shipping, int failAfter) {
    this.desk = new OrderDesk(orders, events, shipping);
    this.orders = orders;
    this.events = events;
    this.shipping = shipping;
    this.failAfter = failAfter;
  }

  static ActorType<String, String> type(
      RecordStore<Order> orders, EventStream events, PoolClient shipping, int failAfter) {
    return ActorType.of(
        "desk",
        Codec.TEXT,
        Codec.TEXT,
        context -> new FailingDesk(orders, events, shipping, failAfter));
  }

  @Override
  public Outcome<String> receive(String request) {
    Outcome<String> outcome = desk.receive(request);
    return request.endsWith(" o2") ? outcome.effects(halfOf(request)) : outcome;
  }

  /** As many of the effects as were asked for, and then no more. */
  private Effects halfOf(String request) {
    String[] words = request.split(" ", -1);
    return tx -> {
      orders.insert(tx, new Order(words[3], words[1], 1));
      if (failAfter > 1) {
        events.add(tx, "ordered", words[1], words[3].getBytes(UTF_8));
      }
      if (failAfter > 2) {
        shipping.dispatch(tx, words[3], new byte[0]);
      }
      throw new IOException("The process ends after effect " + failAfter);
    };
  }

  @Override
  public void replay(byte[] entry) {
    desk.replay(entry);
  }

  @Override
  public void export(PartitionRange range, OutputStream out) throws IOException {
    desk.export(range, out);
  }

  @Override
  public void load(InputStream in) throws IOException {
    desk.load(in);
  }
}
