package dev.tidemark.pulse.redis;

import static java.util.Objects.requireNonNull;

import dev.tidemark.pulse.testkit.RedisSentinels;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Servers behind Sentinels for all tests of a class, whole and empty before each of them. */
final class OneSentinels implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
  private @Nullable RedisSentinels sentinels;

  RedisSentinels sentinels() {
    return requireNonNull(sentinels, "they are started before the tests");
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    OneServer.quiet();
    sentinels = RedisSentinels.start(OneServer.directory());
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    sentinels().repair();
    sentinels().primary().command("FLUSHALL");
  }

  @Override
  public void afterAll(ExtensionContext context) {
    sentinels().close();
  }
}
