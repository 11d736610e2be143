package dev.tidemark.chaos.partitions;

import dev.tidemark.chaos.run.Tally;
import java.util.Map;
import java.util.TreeMap;

/** What a run of partitions has done to them. */
final class PartitionsTally extends Tally {
  private final Map<String, Integer> deeds = new TreeMap<>();
  private long requests;
  private long givenUp;

  void deed(String name) {
    deeds.merge(name, 1, Integer::sum);
  }

  /** How often something was done by others. */
  void deeds(String name, int times) {
    deeds.put(name, times);
  }

  int times(String name) {
    return deeds.getOrDefault(name, 0);
  }

  void requests(long answered, long failed) {
    requests = answered;
    givenUp = failed;
  }

  @Override
  public long acknowledged() {
    return requests;
  }

  @Override
  public String summary(int rounds) {
    StringBuilder done = new StringBuilder();
    deeds.forEach((name, count) -> done.append(' ').append(name).append('=').append(count));
    return "rounds=%d requests=%d given_up=%d lost=%d zombies=%d broken=%d%s"
        .formatted(
            rounds,
            requests,
            givenUp,
            findings.lostCount(),
            findings.tornCount(),
            findings.otherCount(),
            done);
  }
}
