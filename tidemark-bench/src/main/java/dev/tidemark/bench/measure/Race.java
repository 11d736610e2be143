package dev.tidemark.bench.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Contestants that take turns, so that a slow phase of the machine affects all of them. Ratios are
 * taken within a round, and their median over all rounds counts.
 */
public final class Race {
  private final String name;
  private final Map<String, Contestant> contestants = new LinkedHashMap<>();
  private final Map<String, List<Double>> rates = new LinkedHashMap<>();

  public Race(String name) {
    this.name = name;
  }

  public Race with(String contestant, Contestant load) {
    contestants.put(contestant, load);
    rates.put(contestant, new ArrayList<>());
    return this;
  }

  /** Runs all rounds, each beginning with another contestant. */
  public Race run(int rounds, Duration slice, Duration warmUp, Report report) throws Exception {
    List<String> order = new ArrayList<>(contestants.keySet());
    for (String contestant : order) {
      rate(contestant, warmUp);
    }
    for (int round = 0; round < rounds; round++) {
      for (String contestant : order) {
        list(contestant).add(rate(contestant, slice));
      }
      Collections.rotate(order, 1);
    }
    rates.forEach(
        (contestant, list) ->
            report.say("  %-28s %,14.0f /s".formatted(name + " " + contestant, median(list))));
    report.put(name, rates);
    return this;
  }

  private double rate(String contestant, Duration slice) throws Exception {
    Contestant load = contestants.get(contestant);
    if (load == null) {
      throw new IllegalArgumentException("No contestant " + contestant);
    }
    long begin = System.nanoTime();
    long operations = load.run(begin + slice.toNanos());
    return operations * 1e9 / (System.nanoTime() - begin);
  }

  /** How many times as fast as {@code other} the contestant is. */
  public double ratio(String contestant, String other) {
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < list(contestant).size(); round++) {
      ratios.add(list(contestant).get(round) / list(other).get(round));
    }
    return median(ratios);
  }

  /** Operations a second. */
  public double rate(String contestant) {
    return median(list(contestant));
  }

  /** The fastest contestant whose name does not begin with {@code except}. */
  public String best(String except) {
    return best(contestant -> !contestant.startsWith(except));
  }

  /** The fastest contestant whose name passes {@code which}. */
  public String best(Predicate<String> which) {
    return contestants.keySet().stream()
        .filter(which)
        .max((left, right) -> Double.compare(rate(left), rate(right)))
        .orElseThrow();
  }

  private List<Double> list(String contestant) {
    List<Double> list = rates.get(contestant);
    if (list == null) {
      throw new IllegalArgumentException("No contestant " + contestant);
    }
    return list;
  }

  public static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
