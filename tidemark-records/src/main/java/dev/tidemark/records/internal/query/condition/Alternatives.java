package dev.tidemark.records.internal.query.condition;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Converts a condition to disjunctive normal form: alternatives, each a conjunction. They are
 * counted before the first is made, so a condition with millions of them costs no more than
 * counting.
 */
public final class Alternatives {
  private Alternatives() {}

  /** The alternatives of {@code condition}; empty if there are more than {@code max}. */
  public static Optional<List<List<Condition>>> of(Condition condition, int max) {
    return count(condition, max) > max ? Optional.empty() : Optional.of(expand(condition));
  }

  /** The number of alternatives; any number above {@code max} if there are more. */
  private static long count(Condition condition, int max) {
    long count;
    switch (condition) {
      case Condition.And(var parts) -> {
        count = 1;
        for (Condition part : parts) {
          count = Math.min(count * count(part, max), max + 1L);
        }
      }
      case Condition.Or(var parts) -> {
        count = 0;
        for (Condition part : parts) {
          count = Math.min(count + count(part, max), max + 1L);
        }
      }
      case Condition.Always always -> count = 1;
      case Condition.Compare compare -> count = 1;
      case Condition.In in -> count = 1;
      case Condition.IsNull isNull -> count = 1;
      case Condition.StartsWith startsWith -> count = 1;
      case Condition.Like like -> count = 1;
      case Condition.HasWords words -> count = 1;
      case Condition.AnyMatch match -> count = 1;
      case Condition.Not not -> count = 1;
    }
    return count;
  }

  private static List<List<Condition>> expand(Condition condition) {
    return switch (condition) {
      case Condition.And(var parts) -> {
        List<Set<Condition>> product = List.of(new LinkedHashSet<>());
        for (Condition part : parts) {
          product = times(product, expand(part));
        }
        yield product.stream().map(List::copyOf).toList();
      }
      case Condition.Or(var parts) ->
          parts.stream().flatMap(part -> expand(part).stream()).toList();
      case Condition.Always always -> single(always);
      case Condition.Compare compare -> single(compare);
      case Condition.In in -> single(in);
      case Condition.IsNull isNull -> single(isNull);
      case Condition.StartsWith startsWith -> single(startsWith);
      case Condition.Like like -> single(like);
      case Condition.HasWords words -> single(words);
      case Condition.AnyMatch match -> single(match);
      case Condition.Not not -> single(not);
    };
  }

  private static List<List<Condition>> single(Condition condition) {
    return List.of(List.of(condition));
  }

  /** Consumes {@code left}. Most parts have one alternative, for which nothing is copied. */
  private static List<Set<Condition>> times(
      List<Set<Condition>> left, List<List<Condition>> right) {
    if (right.size() == 1) {
      left.forEach(first -> first.addAll(right.getFirst()));
      return left;
    }
    List<Set<Condition>> product = new ArrayList<>(left.size() * right.size());
    for (Set<Condition> first : left) {
      for (List<Condition> second : right) {
        Set<Condition> both = new LinkedHashSet<>(first);
        both.addAll(second);
        product.add(both);
      }
    }
    return product;
  }
}
