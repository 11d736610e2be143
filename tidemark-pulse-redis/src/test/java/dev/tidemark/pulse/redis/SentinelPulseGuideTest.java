package dev.tidemark.pulse.redis;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.testkit.PulseGuide;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of docs/pulse.md on the server that Sentinels name. */
class SentinelPulseGuideTest extends PulseGuide {
  @RegisterExtension static final OneSentinels SENTINELS = new OneSentinels();

  @Override
  protected Pulse open() {
    return RedisPulse.connect(SENTINELS.sentinels().uri());
  }
}
