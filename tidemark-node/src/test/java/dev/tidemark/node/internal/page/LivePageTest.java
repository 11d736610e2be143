package dev.tidemark.node.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page over HTTP. */
class LivePageTest {
  private final List<LivePage.Order> orders = new CopyOnWriteArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private LivePage page;

  @BeforeEach
  void open() throws IOException {
    page =
        LivePage.open(
            0,
            order -> {
              orders.add(order);
              return order.value().isEmpty()
                  ? Optional.of("nothing is no value")
                  : Optional.empty();
            });
  }

  @AfterEach
  void close() {
    page.close();
    client.close();
  }

  @ParameterizedTest
  @CsvSource({
    "'',text/html",
    "page.js,text/javascript",
    "page.css,text/css",
    "icon.svg,image/svg+xml"
  })
  void filesOfThePageAreServedWithTheirTypes(String name, String type) throws Exception {
    HttpResponse<String> answer = get(name);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type").orElseThrow()).startsWith(type);
    assertThat(answer.headers().firstValue("Content-Security-Policy")).isPresent();
    assertThat(answer.body()).isNotBlank();
  }

  @Test
  void everythingThatThePageNamesIsServed() throws Exception {
    String index = get("").body();
    for (String name : List.of("page.js", "page.css", "icon.svg")) {
      assertThat(index).contains("\"" + name + "\"");
      assertThat(get(name).statusCode()).isEqualTo(200);
    }
    assertThat(get("other.html").statusCode()).isEqualTo(404);
  }

  @Test
  void everyElementThatTheScriptFillsIsOnThePageOnce() throws Exception {
    String index = get("").body();
    List<String> filled =
        Pattern.compile("(?:byId|showRows)\\(\"([\\w-]+)\"[,)]")
            .matcher(get("page.js").body())
            .results()
            .map(found -> found.group(1))
            .distinct()
            .toList();
    assertThat(filled).hasSizeGreaterThan(20);
    for (String id : filled) {
      assertThat(index.split(" id=\"" + id + "\"", -1)).as(id).hasSize(2);
    }
  }

  @Test
  void thePageNamesNothingOutsideOfItself() throws Exception {
    for (String name : List.of("", "page.js", "page.css", "icon.svg")) {
      assertThat(get(name).body().replace("http://www.w3.org/2000/svg", ""))
          .as(name)
          .doesNotContain("http:", "https:", "url(", "@import");
    }
  }

  @Test
  void aVisitorGetsTheLatestStateAndEachLaterOne() throws Exception {
    page.show("{\"n\":1}");
    page.show("{\"n\":2}");
    try (BufferedReader live = live()) {
      assertThat(nextState(live)).isEqualTo("{\"n\":2}");
      assertThat(page.isWatched()).isTrue();
      page.show("{\"n\":3}");
      assertThat(nextState(live)).isEqualTo("{\"n\":3}");
    }
  }

  @Test
  void thePageGetsTheLastStateBeforeTheServerEnds() throws Exception {
    page.show("{\"n\":1}");
    try (BufferedReader live = live()) {
      assertThat(nextState(live)).isEqualTo("{\"n\":1}");
      page.show("{\"n\":2}");
      page.close();
      assertThat(nextState(live)).isEqualTo("{\"n\":2}");
      assertThat(live.lines())
          .as("an answer that was cut off throws here")
          .allMatch(line -> line.isEmpty() || line.startsWith(":"));
    }
    assertThat(page.isWatched()).isFalse();
  }

  @Test
  void anOrderIsCarriedOutOrRefusedWithItsReason() throws Exception {
    assertThat(order("threshold", "1500", true).statusCode()).isEqualTo(200);
    assertThat(orders).containsExactly(new LivePage.Order("threshold", "1500"));
    HttpResponse<String> refused = order("threshold", "", true);
    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(refused.body()).isEqualTo("nothing is no value");
  }

  @Test
  void ordersThatAnotherSiteCouldSendAreRefused() throws Exception {
    assertThat(order("threshold", "1500", false).statusCode()).isEqualTo(400);
    assertThat(statusOf("GET / HTTP/1.1", "Host: site.example")).isEqualTo(403);
    assertThat(
            statusOf(
                "POST /order/kill HTTP/1.1",
                "Host: site.example",
                "Tidemark-Order: 1",
                "Content-Length: 0"))
        .isEqualTo(403);
    assertThat(orders).isEmpty();
  }

  @Test
  void aLongOrderIsRefused() throws Exception {
    assertThat(order("threshold", "9".repeat(1_001), true).statusCode()).isEqualTo(413);
    assertThat(orders).isEmpty();
  }

  private HttpResponse<String> get(String name) throws Exception {
    return client.send(
        HttpRequest.newBuilder(page.address().resolve(name)).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> order(String name, String value, boolean asThePageDoes)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(page.address().resolve("order/" + name))
            .POST(HttpRequest.BodyPublishers.ofString(value));
    if (asThePageDoes) {
      request.header("Tidemark-Order", "1");
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private BufferedReader live() throws Exception {
    HttpResponse<InputStream> answer =
        client.send(
            HttpRequest.newBuilder(page.address().resolve("live")).build(),
            BodyHandlers.ofInputStream());
    assertThat(answer.statusCode()).isEqualTo(200);
    return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
  }

  private static String nextState(BufferedReader live) throws IOException {
    String line = live.readLine();
    while (line != null && !line.startsWith("data: ")) {
      line = live.readLine();
    }
    assertThat(line).isNotNull();
    return line.substring("data: ".length());
  }

  /** The client of the JDK sends no wrong Host header. */
  private int statusOf(String... lines) throws IOException {
    URI address = page.address();
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write((String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      out.flush();
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      return Integer.parseInt(in.readLine().split(" ", -1)[1]);
    }
  }
}
