package dev.tidemark.node.internal.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Serves a page to browsers on this machine. Each open page gets the latest state, and every later
 * one unless a newer one replaces it first; a slow page delays nobody.
 *
 * <p>The server listens on the loopback interface alone. It answers only requests that name it by a
 * loopback address, and takes orders only with a header of its own, which a page of another origin
 * cannot send: so no foreign web site can read or order anything through a visitor's browser. Other
 * users of the machine can.
 */
public final class LivePage implements AutoCloseable {
  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final int WATCHERS_MAX = 32;
  private static final int ORDER_BYTES_MAX = 1_000;
  private static final int BACKLOG = 16;

  /** How long a slow page may take for its last state. */
  private static final Duration ANSWERS_MAX = Duration.ofSeconds(2);

  private static final String ORDERS = "/order/";
  private static final String ORDER_HEADER = "Tidemark-Order";

  private static final Map<String, String> FILES =
      Map.of(
          "/", "index.html",
          "/page.js", "page.js",
          "/page.css", "page.css",
          "/icon.svg", "icon.svg");

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Function<Order, Optional<String>> orders;
  private final LatestState latest = new LatestState(WATCHERS_MAX);

  /**
   * What a visitor wants to be done.
   *
   * @param name what to do
   * @param value with what
   */
  public record Order(String name, String value) {}

  private LivePage(HttpServer server, Function<Order, Optional<String>> orders) {
    this.server = server;
    this.orders = orders;
  }

  /**
   * Begins to serve.
   *
   * @param port 0 for a free one
   * @param orders carries out an order, or says why not; several threads call it
   * @throws IOException if the port cannot be had
   */
  public static LivePage open(int port, Function<Order, Optional<String>> orders)
      throws IOException {
    LivePage page =
        new LivePage(
            HttpServer.create(
                new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port), BACKLOG),
            orders);
    page.server.setExecutor(page.threads);
    page.server.createContext("/", page.guarded(page::file));
    page.server.createContext("/live", page.guarded(page::live));
    page.server.createContext(ORDERS, page.guarded(page::order));
    page.server.start();
    return page;
  }

  /** Where a browser finds the page. */
  public URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  /** Whether a page is open somewhere. */
  public boolean isWatched() {
    return latest.watchers() > 0;
  }

  /** Shows {@code state}, a JSON text without line breaks, on every page. */
  public void show(String state) {
    latest.set(state);
  }

  /** Sends the last state to the pages that are open, and ends. */
  @Override
  public void close() {
    latest.close();
    threads.shutdown();
    try {
      // The JDK's server would cut off answers that are under way.
      boolean answered = threads.awaitTermination(ANSWERS_MAX.toMillis(), TimeUnit.MILLISECONDS);
      if (!answered) {
        threads.shutdownNow();
      }
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
      threads.shutdownNow();
    }
    server.stop(0);
  }

  private HttpHandler guarded(HttpHandler handler) {
    return exchange -> {
      try (exchange) {
        exchange
            .getResponseHeaders()
            .set("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'");
        if (isAddressedHere(exchange)) {
          handler.handle(exchange);
        } else {
          answer(exchange, 403, "text/plain", "This page is for browsers on its own machine");
        }
      }
    };
  }

  /** A name that an attacker lets point to 127.0.0.1 is none of ours. */
  private boolean isAddressedHere(HttpExchange exchange) {
    String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
    int port = server.getAddress().getPort();
    return host.equals("127.0.0.1:" + port) || host.equals("localhost:" + port);
  }

  private void file(HttpExchange exchange) throws IOException {
    String name = FILES.get(exchange.getRequestURI().getPath());
    if (name == null) {
      answer(exchange, 404, "text/plain", "There is no such page");
      return;
    }
    if (!exchange.getRequestMethod().equals("GET")) {
      answer(exchange, 405, "text/plain", "The page can only be read");
      return;
    }
    try (InputStream in = LivePage.class.getResourceAsStream("/dev/tidemark/node/page/" + name)) {
      if (in == null) {
        throw new IllegalStateException("The file " + name + " of the page is missing");
      }
      answer(exchange, 200, type(name), new String(in.readAllBytes(), UTF_8));
    }
  }

  private static String type(String name) {
    return switch (name.substring(name.indexOf('.'))) {
      case ".js" -> "text/javascript";
      case ".css" -> "text/css";
      case ".svg" -> "image/svg+xml";
      default -> "text/html";
    };
  }

  private void live(HttpExchange exchange) throws IOException {
    if (!latest.enter()) {
      answer(exchange, 503, "text/plain", "%d pages are open; close one".formatted(WATCHERS_MAX));
      return;
    }
    try {
      Headers headers = exchange.getResponseHeaders();
      headers.set("Content-Type", "text/event-stream; charset=utf-8");
      headers.set("Cache-Control", "no-store");
      exchange.sendResponseHeaders(200, 0);
      follow(exchange.getResponseBody());
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } finally {
      latest.leave();
    }
  }

  private void follow(OutputStream out) throws IOException, InterruptedException {
    LatestState.Seen seen = LatestState.Seen.NOTHING;
    while (true) {
      LatestState.Seen now = latest.after(seen);
      // A comment finds out whether the page is still there.
      String text = now.version() == seen.version() ? ":\n\n" : "data: " + now.state() + "\n\n";
      out.write(text.getBytes(UTF_8));
      out.flush();
      if (now.last()) {
        return;
      }
      seen = now;
    }
  }

  private void order(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestMethod().equals("POST")
        || exchange.getRequestHeaders().getFirst(ORDER_HEADER) == null) {
      answer(exchange, 400, "text/plain", "An order is a POST with the header " + ORDER_HEADER);
      return;
    }
    byte[] body = exchange.getRequestBody().readNBytes(ORDER_BYTES_MAX + 1);
    if (body.length > ORDER_BYTES_MAX) {
      answer(
          exchange, 413, "text/plain", "An order has %,d bytes at most".formatted(ORDER_BYTES_MAX));
      return;
    }
    String name = exchange.getRequestURI().getPath().substring(ORDERS.length());
    Optional<String> refused = orders.apply(new Order(name, new String(body, UTF_8)));
    answer(exchange, refused.isPresent() ? 409 : 200, "text/plain", refused.orElse("done"));
  }

  private static void answer(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] body = text.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }
}
