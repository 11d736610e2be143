package dev.tidemark.partitions.internal.client;

import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.internal.client.RoutedCalls.Outgoing;
import dev.tidemark.partitions.internal.client.RoutedCalls.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Requests that are sent together. Refused ones are sent again, by the next routing table. */
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

  /** Sends as many requests as may be in flight at a time, waits for their answers, and repeats. */
  private void sendOnce(RoutingTable table, List<Integer> left, Attempts attempts) {
    int from = 0;
    while (from < left.size()) {
      int to = from;
      long bytes = 0;
      while (to < left.size() && to - from < AT_ONCE && (to == from || bytes < BYTES_AT_ONCE)) {
        bytes += requests.get(left.get(to++)).payload().length;
      }
      sendSome(table, left.subList(from, to), attempts);
      from = to;
    }
  }

  private void sendSome(RoutingTable table, List<Integer> some, Attempts attempts) {
    Map<Integer, SentRequest> sent = new LinkedHashMap<>();
    for (int i : some) {
      try {
        sent.put(i, calls.send(table, type, requests.get(i), numbers[i], attempts.left()));
      } catch (PartitionException failure) {
        results[i] = Result.failed(failure);
      }
    }
    sent.forEach(
        (i, request) -> {
          try {
            results[i] = Result.of(calls.answer(request, attempts.left()));
          } catch (PartitionException failure) {
            results[i] = Result.failed(failure);
          }
        });
  }
}
