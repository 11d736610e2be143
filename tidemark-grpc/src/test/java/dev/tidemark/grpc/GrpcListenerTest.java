package dev.tidemark.grpc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GrpcListenerTest {
  private final EchoService echo = new EchoService();

  private ServedApi api() {
    return ServedApi.of(echo.definition(), Role.READ);
  }

  private static GrpcChannel channel(GrpcListener listener, String token) {
    return GrpcChannel.open(listener.address(), ChannelOptions.defaults().withToken(token));
  }

  private static void assertEnds(Runnable call, Status.Code code, String... words) {
    assertThatThrownBy(call::run)
        .asInstanceOf(type(StatusRuntimeException.class))
        .satisfies(
            end -> {
              assertThat(end.getStatus().getCode()).isEqualTo(code);
              assertThat(end.getStatus().getDescription()).contains(words);
            });
  }

  @Test
  void withoutTokensEverybodyMayDoEverythingOnVirtualThreads() {
    ServedApi api = api().withRole(EchoService.SAY, Role.NODE);
    try (GrpcListener listener = GrpcListener.open(api, ListenerOptions.defaults());
        GrpcChannel channel = channel(listener, "")) {
      assertThat(EchoService.call(channel.channel(), EchoService.SAY, "hi"))
          .isEqualTo("hi by NODE on virtual");
    }
  }

  @Test
  void handlersRunOnTheNetworkIfTheLayerWantsThat() {
    try (GrpcListener listener =
            GrpcListener.open(api().withHandlersOnNetworkThreads(), ListenerOptions.defaults());
        GrpcChannel channel = channel(listener, "")) {
      assertThat(EchoService.call(channel.channel(), EchoService.SAY, "hi")).endsWith("network");
    }
  }

  @Test
  void eachMethodAsksForItsOwnRole() {
    ListenerOptions options =
        ListenerOptions.defaults().withToken("r", Role.READ).withToken("o", Role.OPERATOR);
    ServedApi api = api().withRole(EchoService.FOLLOW, Role.OPERATOR);
    try (GrpcListener listener = GrpcListener.open(api, options);
        GrpcChannel reader = channel(listener, "r");
        GrpcChannel operator = channel(listener, "o");
        GrpcChannel stranger = channel(listener, "x")) {
      assertThat(EchoService.call(reader.channel(), EchoService.SAY, "hi")).contains("by READ");
      assertThat(EchoService.call(operator.channel(), EchoService.SAY, "hi"))
          .contains("by OPERATOR");
      assertEnds(
          () -> follow(reader).next(), Status.Code.PERMISSION_DENIED, "READ", "OPERATOR", "Follow");
      assertThat(follow(operator).next()).isEqualTo("news");
      assertEnds(
          () -> EchoService.call(stranger.channel(), EchoService.SAY, "hi"),
          Status.Code.UNAUTHENTICATED,
          "token");
      assertThat(listener.statistics().callsRefused()).isEqualTo(2);
    }
  }

  private static Iterator<String> follow(GrpcChannel channel) {
    return ClientCalls.blockingServerStreamingCall(
        channel.channel(), EchoService.FOLLOW, CallOptions.DEFAULT, "news");
  }

  @Test
  void whoFindsNobodyListeningIsToldSoInWords() {
    GrpcListener gone = GrpcListener.open(api(), ListenerOptions.defaults());
    gone.close();
    try (GrpcChannel channel = channel(gone, "")) {
      assertThatThrownBy(() -> EchoService.call(channel.channel(), EchoService.SAY, "hi"))
          .asInstanceOf(type(StatusRuntimeException.class))
          .extracting(refused -> channel.failure(refused.getStatus(), refused).getMessage())
          .isEqualTo(
              "The server at %s cannot be reached: connection refused. Is it running, and does it speak plain text?"
                  .formatted(gone.address()));
    }
  }

  @Test
  void whoMeetsAServerWithoutTlsIsToldSoInWords() throws Exception {
    try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        GrpcChannel channel =
            GrpcChannel.open(
                Address.parse("tidemarks://127.0.0.1:" + plain.getLocalPort(), 1),
                ChannelOptions.defaults())) {
      Future<Integer> answered = threads.submit(() -> answerInPlainText(plain));
      assertThatThrownBy(() -> EchoService.call(channel.channel(), EchoService.SAY, "hi"))
          .asInstanceOf(type(StatusRuntimeException.class))
          .extracting(refused -> channel.failure(refused.getStatus(), refused).getMessage())
          .asString()
          .contains("cannot be reached: what answers there speaks no TLS.");
      assertThat(answered.get()).isPositive();
    }
  }

  /** Answers the first connection and stays until its other end is closed. */
  private static int answerInPlainText(ServerSocket plain) throws IOException {
    try (Socket client = plain.accept()) {
      client.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
      return client.getInputStream().readAllBytes().length;
    }
  }

  @Test
  void roleOfAnUnknownMethodIsRefused() {
    ServedApi health = ServedApi.of(echo.definition(), Role.READ);
    assertThatThrownBy(() -> health.withRole(HealthGrpc.getCheckMethod(), Role.READ))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("grpc.health.v1.Health/Check");
  }

  @Test
  void closeWaitsForACallThatRuns() throws Exception {
    GrpcListener listener = GrpcListener.open(api(), ListenerOptions.defaults());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        GrpcChannel channel = channel(listener, "")) {
      Future<String> reply =
          threads.submit(() -> EchoService.call(channel.channel(), EchoService.WAIT, "done"));
      echo.waiting.await();
      Future<?> closed = threads.submit(listener::close);
      assertThat(listener.statistics().calls()).isEqualTo(1);
      echo.goOn.countDown();
      assertThat(reply.get()).isEqualTo("done");
      closed.get();
      assertThat(listener.statistics().calls()).isZero();
      listener.close();
    }
  }

  @Test
  void callThatOutlastsTheDrainIsEnded() throws Exception {
    GrpcListener listener =
        GrpcListener.open(
            api(), ListenerOptions.defaults().withDrainTimeout(Duration.ofMillis(50)));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        GrpcChannel channel = channel(listener, "")) {
      Future<String> reply =
          threads.submit(() -> EchoService.call(channel.channel(), EchoService.WAIT, "done"));
      echo.waiting.await();
      listener.close();
      assertThatThrownBy(reply::get).hasCauseInstanceOf(StatusRuntimeException.class);
      echo.goOn.countDown();
    }
  }

  @Test
  void layerEndsItsStreamsWithItsOwnWords() throws Exception {
    ServedApi api = api().withDrain(patience -> echo.endFollowers());
    GrpcListener listener = GrpcListener.open(api, ListenerOptions.defaults());
    try (GrpcChannel channel = channel(listener, "")) {
      Iterator<String> news = follow(channel);
      assertThat(news.next()).isEqualTo("news");
      echo.following.await();
      listener.close();
      assertEnds(news::next, Status.Code.UNAVAILABLE, "go elsewhere");
    } finally {
      listener.close();
    }
  }

  /** The drain may take a minute, which the watcher of the health must not use up. */
  @Test
  void whoWatchesTheHealthDoesNotHoldUpTheClose() {
    GrpcListener listener =
        GrpcListener.open(
            api(), ListenerOptions.defaults().withDrainTimeout(Duration.ofMinutes(30)));
    try (GrpcChannel channel = channel(listener, "")) {
      Iterator<HealthCheckResponse> health =
          HealthGrpc.newBlockingStub(channel.channel())
              .watch(HealthCheckRequest.newBuilder().setService("test.Echo").build());
      assertThat(health.next().getStatus()).isEqualTo(ServingStatus.SERVING);
      listener.setServing(false);
      assertThat(health.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
      long begin = TimeSource.system().nanos();
      listener.close();
      assertThat(TimeSource.system().nanos() - begin).isLessThan(Duration.ofMinutes(1).toNanos());
    }
  }

  @Test
  void connectionBeyondTheLimitIsEnded() {
    try (GrpcListener listener =
            GrpcListener.open(api(), ListenerOptions.defaults().withConnections(1));
        GrpcChannel first = channel(listener, "");
        GrpcChannel second = channel(listener, "")) {
      EchoService.call(first.channel(), EchoService.SAY, "hi");
      assertThatThrownBy(() -> EchoService.call(second.channel(), EchoService.SAY, "hi"))
          .isInstanceOf(StatusRuntimeException.class);
      assertThat(listener.statistics().connections()).isEqualTo(1);
      assertThat(listener.statistics().connectionsRefused()).isPositive();
    }
  }

  @Test
  void plainTextStaysOnTheMachineUnlessAllowed() {
    ListenerOptions everywhere = ListenerOptions.defaults().withHost("0.0.0.0");
    assertThatThrownBy(() -> GrpcListener.open(api(), everywhere).close())
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("withTls")
        .hasMessageContaining("withPlainTextBeyondLoopback");

    Address elsewhere = new Address("192.0.2.1", 7420, false);
    try (GrpcChannel channel = GrpcChannel.open(elsewhere, ChannelOptions.defaults())) {
      assertThatThrownBy(channel::channel)
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("tidemarks://192.0.2.1:7420");
    }
  }

  @Test
  void everybodyBeyondTheMachineIsLetInOnlyWhereThatIsChosen() {
    ListenerOptions everywhere =
        ListenerOptions.defaults().withHost("0.0.0.0").withPlainTextBeyondLoopback();
    assertThatThrownBy(() -> GrpcListener.open(api(), everywhere).close())
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("withToken")
        .hasMessageContaining("withEverybodyAllowed");

    for (ListenerOptions chosen :
        List.of(everywhere.withEverybodyAllowed(), everywhere.withToken("t", Role.READ))) {
      try (GrpcListener listener = GrpcListener.open(api(), chosen);
          GrpcChannel channel = channel(listener, "t")) {
        assertThat(EchoService.call(channel.channel(), EchoService.SAY, "hi")).contains("hi");
      }
    }
  }

  @Test
  void refusalsAreMisuseAndTheRestIsUnavailable() {
    Address nobody = new Address("127.0.0.1", 1, false);
    try (GrpcChannel channel = GrpcChannel.open(nobody, ChannelOptions.defaults())) {
      assertThat(channel.failure(Status.UNAUTHENTICATED.withDescription("who are you"), null))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("who are you");
      assertThat(channel.failure(Status.UNAVAILABLE.withDescription("gone"), null))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("tidemark://127.0.0.1:1", "gone");
    }
  }

  @Test
  void optionsShowNoToken() {
    String printed =
        ListenerOptions.defaults().withToken("secret-1", Role.READ)
            + ChannelOptions.defaults().withToken("secret-2").toString();
    assertThat(printed).doesNotContain("secret");
  }
}
