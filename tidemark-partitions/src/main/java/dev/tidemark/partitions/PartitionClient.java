package dev.tidemark.partitions;

import dev.tidemark.kv.Key;
import dev.tidemark.partitions.internal.client.RoutedCalls;
import java.util.List;
import java.util.Optional;

/**
 * Sends requests to the actors that own their keys, wherever these are.
 *
 * <p>The client follows the routing table of a manager and keeps working on the last one while no
 * manager answers. A request to a partition that is being moved is sent again until its time is
 * over. Each request has an id: if its answer was lost, the repetition is answered and not carried
 * out again. Safe for many threads; calls block and are made for virtual threads.
 */
public final class PartitionClient implements AutoCloseable {
  private final RoutedCalls calls;

  private PartitionClient(RoutedCalls calls) {
    this.calls = calls;
  }

  /**
   * Connects, and waits for the first routing table.
   *
   * @throws PartitionException TIMED_OUT if no manager sends a table in time
   */
  public static PartitionClient connect(PartitionClientOptions options) {
    return new PartitionClient(RoutedCalls.open(options));
  }

  /**
   * Has the owner of {@code key} carry out {@code request}; its answer.
   *
   * @throws PartitionException FAILED or REFUSED if the actor refuses it; TIMED_OUT or IN_DOUBT if
   *     it is not known whether it was carried out; BUSY or MOVED if it was not, because its
   *     partition could not be reached in time
   */
  public <Q, R> R send(ActorType<Q, R> type, Key key, Q request) {
    return type.answers()
        .decode(calls.send(type.name(), key, type.requests().encode(request), false));
  }

  /** {@link #send} of a request that changes nothing: the server remembers no answer for it. */
  public <Q, R> R read(ActorType<Q, R> type, Key key, Q request) {
    return type.answers()
        .decode(calls.send(type.name(), key, type.requests().encode(request), true));
  }

  /**
   * A request of a batch.
   *
   * @param key the key that decides where it goes
   * @param request the request
   * @param <Q> the requests
   */
  public record Request<Q>(Key key, Q request) {}

  /**
   * What became of a request of a batch: an answer or a failure.
   *
   * @param answer the answer
   * @param failure why there is none
   * @param <R> the answers
   */
  public record Reply<R>(Optional<R> answer, Optional<PartitionException> failure) {
    /** The answer; throws the failure if there is none. */
    public R orThrow() {
      return answer.orElseThrow(failure::orElseThrow);
    }
  }

  /**
   * Sends requests together, those of one server in one message. Each has its own reply, at the
   * same place of the list. Requests of one batch may be carried out in any order.
   */
  public <Q, R> List<Reply<R>> sendAll(ActorType<Q, R> type, List<Request<Q>> requests) {
    List<RoutedCalls.Outgoing> encoded =
        requests.stream()
            .map(one -> new RoutedCalls.Outgoing(one.key(), type.requests().encode(one.request())))
            .toList();
    return calls.sendAll(type.name(), encoded).stream()
        .map(result -> new Reply<R>(result.payload().map(type.answers()::decode), result.failure()))
        .toList();
  }

  /**
   * Up to {@code limit} items of {@code range} in the order of their keys, from as many partitions
   * as it takes. {@link ScanPage#next} says where the next page begins; it is empty only when the
   * end of the range was reached. Nothing is left out: a page that cannot be completed throws.
   *
   * @param query what the actors are told
   */
  public <Q, R> ScanPage<R> scan(ActorType<Q, R> type, Q query, PartitionRange range, int limit) {
    RoutedCalls.Page page = calls.scan(type.name(), range, limit, type.requests().encode(query));
    return new ScanPage<>(
        page.items().stream()
            .map(item -> new ScanPage.Item<>(item.key(), type.answers().decode(item.payload())))
            .toList(),
        page.next());
  }

  /** The newest routing table that this client knows. */
  public RoutingTable routing() {
    return calls.table();
  }

  /** Numbers of now. */
  public PartitionClientStatistics statistics() {
    return calls.statistics();
  }

  /** Ends all calls and connections. Can be called again. */
  @Override
  public void close() {
    calls.close();
  }
}
