package dev.tidemark.pulse.redis;

import static java.util.Objects.requireNonNull;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.testkit.PoolConformance;
import dev.tidemark.pulse.testkit.RedisServer;
import dev.tidemark.testkit.faults.CuttingProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One redis-server for all tests of a class, empty before each of them. */
final class OneServer implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
  private static final int NOBODY = 1;
  private static final int ATTEMPTS_MAX = 100;

  /** Lettuce tells of every cut connection with a stack trace. Held, or the setting is lost. */
  private static final Logger LETTUCE = Logger.getLogger("io.lettuce");

  private final RedisServer.Version version;
  private final String[] settings;
  private final List<CuttingProxy> proxies = new CopyOnWriteArrayList<>();
  private @Nullable RedisServer server;

  OneServer(RedisServer.Version version, String... settings) {
    this.version = version;
    this.settings = settings;
  }

  /** A directory of its own for a server of a test. */
  static Path directory() throws IOException {
    return Files.createTempDirectory(Files.createDirectories(Path.of("target", "redis")), "s");
  }

  /** Silences what Lettuce has to say about the connections that tests cut. */
  static void quiet() {
    LETTUCE.setLevel(Level.OFF);
  }

  RedisServer server() {
    return requireNonNull(server, "it is started before the tests");
  }

  String uri() {
    return server().uri();
  }

  /** A pulse whose way to the server can be cut, and that soon says so. */
  PoolConformance.CutPulse openToCut() {
    CuttingProxy proxy = CuttingProxy.open();
    proxies.add(proxy);
    proxy.target(server().port());
    Pulse pulse =
        RedisOptions.at("redis://127.0.0.1:" + proxy.port())
            .withCommandTimeout(Duration.ofSeconds(1))
            .withOutageMax(Duration.ofMillis(50))
            .connect();
    return new PoolConformance.CutPulse(
        pulse,
        () -> {
          proxy.target(NOBODY);
          proxy.cutAll();
        },
        () -> {
          proxy.target(server().port());
          awaitAnswer(pulse);
        });
  }

  /** Lettuce takes a while to connect again, longer than this pulse is patient. */
  private static void awaitAnswer(Pulse pulse) {
    for (int attempt = 1; ; attempt++) {
      try {
        pulse.stream("probe").length();
        return;
      } catch (PulseException outage) {
        if (attempt == ATTEMPTS_MAX) {
          throw outage;
        }
      }
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    quiet();
    server = RedisServer.start(directory(), version, settings);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    server().command("FLUSHALL");
  }

  @Override
  public void afterAll(ExtensionContext context) {
    proxies.forEach(CuttingProxy::close);
    server().close();
  }
}
