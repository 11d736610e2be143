package dev.tidemark.remote.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.remote.RemoteDatabase;
import dev.tidemark.remote.internal.server.ReplyFields;
import dev.tidemark.remote.internal.transport.Envelope;
import dev.tidemark.remote.internal.transport.FieldReader;
import dev.tidemark.remote.internal.transport.Frame;
import dev.tidemark.remote.internal.transport.FrameMarshaller;
import dev.tidemark.remote.internal.transport.SentGet;
import dev.tidemark.remote.internal.transport.Wire;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.remote.internal.wire.StoreGrpc;
import dev.tidemark.remote.internal.wire.Welcome;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server whose frame has a good reply and, behind it, something that is none. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class MalformedReplyTest {
  private static final byte[] VALUE = {42};

  /** A message of five bytes, of which the first begins a number without an end. */
  private static final byte[] MALFORMED = {0x0a, 5, 8, -1, -1, -1, -1};

  @Test
  void callsBeforeAMalformedReplyEndAndTheOthersFailWithoutTheirTimeout() throws Exception {
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(
                ServerServiceDefinition.builder(StoreGrpc.SERVICE_NAME)
                    .addMethod(
                        FrameMarshaller.SESSION,
                        ServerCalls.asyncBidiStreamingCall(OneGoodReply::new))
                    .build())
            .build()
            .start();
    URI uri = URI.create("tidemark://127.0.0.1:" + server.getPort());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        RemoteDatabase remote =
            RemoteDatabase.connect(uri, o -> o.withRequestTimeout(Duration.ofHours(1)))) {
      Future<byte[]> answered = threads.submit(() -> get(remote, "answered"));
      Future<byte[]> other = threads.submit(() -> get(remote, "other"));
      assertThat(answered.get(20, TimeUnit.SECONDS)).isEqualTo(VALUE);
      assertThatThrownBy(() -> other.get(20, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(UnavailableException.class);
    } finally {
      server.shutdownNow();
    }
  }

  private static byte[] get(RemoteDatabase remote, String key) {
    try (Transaction tx = remote.begin()) {
      return tx.get(Key.utf8(key)).orElseThrow();
    }
  }

  /** A session that waits for two reads, and then answers one of them and breaks off. */
  private static final class OneGoodReply implements StreamObserver<Frame> {
    private final StreamObserver<Frame> replies;
    private final List<byte[]> answer = new ArrayList<>();
    private int gets;

    OneGoodReply(StreamObserver<Frame> replies) {
      this.replies = replies;
    }

    @Override
    public void onNext(Frame frame) {
      FieldReader fields = frame.read();
      while (fields.next()) {
        take(Envelope.open(fields.message()));
      }
    }

    private void take(Envelope request) {
      if (request.kind() == Request.HELLO_FIELD_NUMBER) {
        Welcome welcome =
            Welcome.newBuilder()
                .setProtocol(Wire.PROTOCOL)
                .setKeyBytes(100)
                .setValueBytes(100)
                .setTransactionBytes(1_000)
                .setReadWindowNanos(Duration.ofHours(1).toNanos())
                .setFrameBytes(1_000)
                .build();
        Reply reply = Reply.newBuilder().setId(request.id()).setWelcome(welcome).build();
        replies.onNext(Frame.of(ReplyFields.of(reply)));
      } else if (request.kind() == Request.GET_FIELD_NUMBER) {
        gets++;
        if (SentGet.read(request.message()).key().equals(Key.utf8("answered"))) {
          answer.add(ReplyFields.value(request.id(), VALUE, 1));
        }
        if (gets == 2) {
          answer.add(MALFORMED);
          replies.onNext(new Frame(answer));
        }
      }
    }

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}
  }
}
