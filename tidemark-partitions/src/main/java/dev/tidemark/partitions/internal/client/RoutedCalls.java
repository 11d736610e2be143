package dev.tidemark.partitions.internal.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.UsageException;
import dev.tidemark.partitions.PartitionClientOptions;
import dev.tidemark.partitions.PartitionClientStatistics;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.Route;
import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.internal.metrics.CountedMetrics;
import dev.tidemark.partitions.internal.protocol.FrameLimits;
import dev.tidemark.partitions.internal.protocol.Refusals;
import dev.tidemark.partitions.internal.protocol.WireRoutes;
import dev.tidemark.partitions.internal.wire.ScanPage;
import dev.tidemark.partitions.internal.wire.ScanReply;
import dev.tidemark.partitions.internal.wire.ScanRequest;
import dev.tidemark.partitions.internal.wire.SendRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Calls in bytes: each finds the owner of its key, again after each refusal, until its deadline.
 */
public final class RoutedCalls implements AutoCloseable {
  /** After so long without an answer the table that a request went by may be an old one. */
  private static final Duration SILENCE = Duration.ofSeconds(2);

  private final PartitionClientOptions options;
  private final RoutingFeed feed;
  private final Connections connections;
  private final CountedMetrics counts;
  private final Sequences sequences = new Sequences();
  private volatile boolean closed;

  private RoutedCalls(PartitionClientOptions options) {
    this.options = options;
    this.counts = new CountedMetrics(options.metrics());
    this.connections = new Connections(options.channels());
    this.feed = new RoutingFeed(options, connections::keepOnly);
  }

  /** Connects, and waits for the first table. */
  public static RoutedCalls open(PartitionClientOptions options) {
    RoutedCalls calls = new RoutedCalls(options);
    if (!calls.feed.await(1, options.connectTimeout())) {
      calls.close();
      throw new PartitionException(
          Reason.TIMED_OUT,
          "None of the managers %s sent a routing table within %,d ms; is one of them running, and a server?"
              .formatted(options.managers(), options.connectTimeout().toMillis()));
    }
    return calls;
  }

  /** The newest table. */
  public RoutingTable table() {
    return feed.table();
  }

  /** The answer of the actor that owns {@code key}. */
  public byte[] send(String type, Key key, byte[] payload, boolean readOnly) {
    checkOpen();
    return counted(type, () -> sendUntilAnswered(type, key, payload, readOnly));
  }

  private <T> T counted(String type, Supplier<T> call) {
    long began = options.time().nanos();
    try {
      T answer = call.get();
      ended(type, Optional.empty(), began);
      return answer;
    } catch (PartitionException failure) {
      ended(type, Optional.of(failure.reason()), began);
      throw failure;
    }
  }

  private void ended(String type, Optional<Reason> failure, long began) {
    counts.requestEnded(type, failure, Duration.ofNanos(options.time().nanos() - began));
  }

  /** Numbers of now. */
  public PartitionClientStatistics statistics() {
    return new PartitionClientStatistics(
        counts.requests(), counts.failures(), counts.repeats(), table().version());
  }

  private byte[] sendUntilAnswered(String type, Key key, byte[] payload, boolean readOnly) {
    Attempts attempts = attempts(type);
    long number = sequences.begin();
    try {
      while (true) {
        RoutingTable table = feed.table();
        try {
          return sendOnce(table, type, key, payload, number, readOnly, attempts.left());
        } catch (PartitionException failure) {
          attempts.after(failure, table.version());
        }
      }
    } finally {
      sequences.settle(number);
    }
  }

  private byte[] sendOnce(
      RoutingTable table,
      String type,
      Key key,
      byte[] payload,
      long number,
      boolean readOnly,
      Duration left) {
    Route route = route(table, type, key);
    SentRequest sent =
        send(table, route.address(), request(route, key, payload, number, readOnly, left));
    return answer(sent, left);
  }

  private SendRequest.Builder request(
      Route route, Key key, byte[] payload, long number, boolean readOnly, Duration left) {
    return SendRequest.newBuilder()
        .setPartitionId(route.partition())
        .setActorType(route.type())
        .setEpoch(route.epoch())
        .setKey(WireRoutes.bytes(key))
        .setRequestId(sequences.id(number))
        .setPayload(UnsafeByteOperations.unsafeWrap(payload))
        .setTimeoutMicros(micros(left))
        .setReadOnly(readOnly);
  }

  private static Route route(RoutingTable table, String type, Key key) {
    return table
        .find(type, key)
        .orElseThrow(
            () ->
                new PartitionException(
                    Reason.BUSY,
                    "The actor type %s has no partitions in routing table %,d; does the manager know it?"
                        .formatted(type, table.version())));
  }

  /**
   * A request of a batch.
   *
   * @param key where it goes
   * @param payload its bytes
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Outgoing(Key key, byte[] payload) {}

  /**
   * What became of it.
   *
   * @param payload the answer
   * @param failure why there is none
   */
  public record Result(Optional<byte[]> payload, Optional<PartitionException> failure) {
    static Result of(byte[] answer) {
      return new Result(Optional.of(answer), Optional.empty());
    }

    static Result failed(PartitionException failure) {
      return new Result(Optional.empty(), Optional.of(failure));
    }
  }

  /** The replies to {@code requests}, in their order. */
  public List<Result> sendAll(String type, List<Outgoing> requests) {
    checkOpen();
    long began = options.time().nanos();
    List<Result> results = new Batch(this, type, requests).send();
    results.forEach(result -> ended(type, result.failure().map(PartitionException::reason), began));
    return results;
  }

  Sequences sequences() {
    return sequences;
  }

  /** The answer to a request of a batch. */
  byte[] answer(SentRequest request, Duration left) {
    return request.await(left, SILENCE, feed::doubt);
  }

  Attempts attempts(String type) {
    return new Attempts(type, counts, options.time(), feed, options.timeout());
  }

  /** Sends a request of a batch once; its reply is asked for later. */
  SentRequest send(RoutingTable table, String type, Outgoing one, long number, Duration left) {
    Route route = route(table, type, one.key());
    return send(
        table, route.address(), request(route, one.key(), one.payload(), number, false, left));
  }

  private SentRequest send(RoutingTable table, String address, SendRequest.Builder request) {
    SentRequest sent = connections.send(address, request);
    RoutingTable now = feed.table();
    if (now.version() > table.version()) {
      // Its connection may have been made anew just after the newer table had it ended.
      connections.closeUnused(address, now);
    }
    return sent;
  }

  /**
   * An item of a scan.
   *
   * @param key its key
   * @param payload its value
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Item(Key key, byte[] payload) {}

  /**
   * A page of a scan.
   *
   * @param items items in the order of keys
   * @param next where to go on; empty at the end of the range
   */
  public record Page(List<Item> items, Optional<Key> next) {}

  /** Up to {@code limit} items of {@code range}. */
  public Page scan(String type, PartitionRange range, int limit, byte[] query) {
    checkOpen();
    if (query.length > FrameLimits.REQUEST_BYTES) {
      throw new PartitionException(
          Reason.INVALID,
          "The query of a scan has %,d bytes; it may have %,d. Say less"
              .formatted(query.length, FrameLimits.REQUEST_BYTES));
    }
    if (limit < 1) {
      throw UsageException.invalidOption(
          "The limit of a scan is %,d; it must be 1 or more".formatted(limit));
    }
    return counted(type, () -> scanUntilRead(type, range, limit, query));
  }

  private Page scanUntilRead(String type, PartitionRange range, int limit, byte[] query) {
    Attempts attempts = attempts(type);
    List<Item> items = new ArrayList<>();
    Optional<Key> next = Optional.of(range.start());
    while (next.isPresent() && items.size() < limit) {
      RoutingTable table = feed.table();
      PartitionRange left = new PartitionRange(next.get(), range.end());
      try {
        next = scanOnce(table, type, left, limit - items.size(), query, items, attempts.left());
      } catch (PartitionException failure) {
        attempts.after(failure, table.version());
      }
    }
    return new Page(items, next);
  }

  /** One page of one partition, and where to continue after it, in this partition or the next. */
  private Optional<Key> scanOnce(
      RoutingTable table,
      String type,
      PartitionRange range,
      int limit,
      byte[] query,
      List<Item> items,
      Duration left) {
    Route route = route(table, type, range.start());
    boolean toTheEnd = route.range().contains(range);
    Optional<Key> end = toTheEnd ? range.end() : route.range().end();
    ScanRequest.Builder request =
        ScanRequest.newBuilder()
            .setPartitionId(route.partition())
            .setActorType(type)
            .setEpoch(route.epoch())
            .setStart(WireRoutes.bytes(range.start()))
            .setLimit(limit)
            .setPayload(ByteString.copyFrom(query))
            .setTimeoutMicros(micros(left));
    end.ifPresent(key -> request.setHasEnd(true).setEnd(WireRoutes.bytes(key)));
    ScanReply reply = connections.call(route.address(), left, stub -> stub.scan(request.build()));
    if (reply.hasRefusal()) {
      throw Refusals.fromWire(reply.getRefusal());
    }
    ScanPage page = reply.getPage();
    page.getItemsList()
        .forEach(
            item ->
                items.add(new Item(WireRoutes.key(item.getKey()), item.getValue().toByteArray())));
    if (page.getHasContinuation()) {
      return Optional.of(WireRoutes.key(page.getContinuation()));
    }
    return toTheEnd ? Optional.empty() : end;
  }

  private static long micros(Duration duration) {
    return Math.max(1, duration.toNanos() / 1_000);
  }

  private void checkOpen() {
    if (closed) {
      throw UsageException.invalidOperation("The client is closed");
    }
  }

  @Override
  public void close() {
    closed = true;
    feed.close();
    connections.close();
  }
}
