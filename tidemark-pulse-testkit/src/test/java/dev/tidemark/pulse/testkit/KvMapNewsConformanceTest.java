package dev.tidemark.pulse.testkit;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.testkit.PoolConformance.CutPulse;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What copies of maps on Tidemark's own store hear. */
class KvMapNewsConformanceTest extends MapNewsConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(OnTidemark::inMemory);

  /** The ways to the store of all copies of the test. Closed with their pulses. */
  private final List<CutPulse> ways = new ArrayList<>();

  @Override
  protected Pulse open() {
    CutPulse way = CutDatabase.pulse(databases.database());
    ways.add(way);
    return way.pulse();
  }

  @Override
  protected void unheard(Runnable writes) {
    List<CutPulse> deaf = List.copyOf(ways);
    deaf.forEach(way -> way.cut().run());
    writes.run();
    deaf.forEach(way -> way.restore().run());
  }
}
