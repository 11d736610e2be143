package dev.tidemark.partitions.internal.client;

import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.internal.client.RoutedCalls.Outgoing;
import dev.tidemark.partitions.internal.client.RoutedCalls.Result;
import dev.tidemark.partitions.internal.wire.SendBatchReply;
import dev.tidemark.partitions.internal.wire.SendBatchRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Requests that are sent together. Those that are refused go again, by the next table. */
final class Batch {
  private static final int AT_ONCE = 1_000;
  private static final int BYTES_AT_ONCE = 1 << 20;

  private final RoutedCalls calls;
  private final String type;
  private final List<Outgoing> requests;
  private final long[] numbers;
  private final @Nullable Result[] results;

  Batch(RoutedCalls calls, String type, List<Outgoing> requests) {
    this.calls = calls;
    this.type = type;
    this.requests = requests;
    this.numbers = new long[requests.size()];
    this.results = new Result[requests.size()];
  }

  List<Result> send() {
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = calls.sequences().begin();
    }
    try {
      sendUntilAnswered();
    } finally {
      for (long number : numbers) {
        calls.sequences().settle(number);
      }
    }
    List<Result> all = new ArrayList<>(results.length);
    for (Result result : results) {
      all.add(Objects.requireNonNull(result));
    }
    return all;
  }

  private void sendUntilAnswered() {
    Attempts attempts = calls.attempts(type);
    List<Integer> left = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      left.add(i);
    }
    while (!left.isEmpty()) {
      RoutingTable table = calls.table();
      sendOnce(table, left, attempts);
      Optional<PartitionException> last = Optional.empty();
      List<Integer> again = new ArrayList<>();
      for (int i : left) {
        Optional<PartitionException> failure =
            Optional.ofNullable(results[i]).flatMap(Result::failure);
        if (failure.isPresent() && Attempts.mayHelp(failure.get())) {
          again.add(i);
          last = failure;
        }
      }
      left = again;
      if (last.isPresent() && !waitAfter(attempts, last.get(), table)) {
        return;
      }
    }
  }

  /** Whether there is time for another attempt; otherwise the failures stay. */
  private static boolean waitAfter(
      Attempts attempts, PartitionException failure, RoutingTable table) {
    try {
      attempts.after(failure, table.version());
      return true;
    } catch (PartitionException late) {
      return false;
    }
  }

  private void sendOnce(RoutingTable table, List<Integer> left, Attempts attempts) {
    Map<String, List<Integer>> byAddress = new LinkedHashMap<>();
    for (int i : left) {
      String address =
          table.find(type, requests.get(i).key()).map(route -> route.address()).orElse("");
      byAddress.computeIfAbsent(address, any -> new ArrayList<>()).add(i);
    }
    Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    List<Thread> senders = new ArrayList<>();
    byAddress.forEach(
        (address, some) ->
            senders.add(
                Thread.ofVirtual()
                    .name("batch")
                    .uncaughtExceptionHandler((thread, error) -> errors.add(error))
                    .start(() -> sendTo(address, table, some, attempts))));
    for (Thread sender : senders) {
      join(sender);
    }
    if (!errors.isEmpty()) {
      throw new IllegalStateException("A batch could not be sent", errors.peek());
    }
  }

  private static void join(Thread sender) {
    try {
      sender.join();
    } catch (InterruptedException interrupt) {
      sender.interrupt();
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while a batch was sent", interrupt);
    }
  }

  private void sendTo(String address, RoutingTable table, List<Integer> some, Attempts attempts) {
    int from = 0;
    while (from < some.size()) {
      int to = from;
      long bytes = 0;
      while (to < some.size() && to - from < AT_ONCE && (to == from || bytes < BYTES_AT_ONCE)) {
        bytes += requests.get(some.get(to++)).payload().length;
      }
      sendMessage(address, table, some.subList(from, to), attempts);
      from = to;
    }
  }

  private void sendMessage(
      String address, RoutingTable table, List<Integer> some, Attempts attempts) {
    try {
      SendBatchRequest.Builder batch = SendBatchRequest.newBuilder();
      for (int i : some) {
        batch.addRequests(calls.request(table, type, requests.get(i), numbers[i], attempts.left()));
      }
      SendBatchReply reply =
          calls.connections().call(address, attempts.left(), stub -> stub.sendBatch(batch.build()));
      for (int i = 0; i < some.size(); i++) {
        results[some.get(i)] = Result.of(reply.getReplies(i));
      }
    } catch (PartitionException failure) {
      some.forEach(i -> results[i] = Result.failed(failure));
    }
  }
}
