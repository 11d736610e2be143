package dev.tidemark.remote;

import com.google.protobuf.ByteString;
import dev.tidemark.remote.internal.wire.ClientFrame;
import dev.tidemark.remote.internal.wire.Hello;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.remote.internal.wire.ServerFrame;
import dev.tidemark.remote.internal.wire.StoreGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client without manners: it sends what a test wants, and reads only when told to. */
final class RawClient implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 20;

  private final ManagedChannel channel;
  private final LinkedBlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
  private final CompletableFuture<Status> ended = new CompletableFuture<>();
  private ClientCallStreamObserver<ClientFrame> stream;

  @SuppressWarnings("NullAway.Init") // gRPC gives the stream while it is being opened
  private RawClient(ManagedChannel channel) {
    this.channel = channel;
  }

  /** A client that takes every reply. */
  static RawClient reading(DatabaseServer server) {
    return open(server, true, "");
  }

  /** A client that takes every reply and shows {@code token}. */
  static RawClient reading(DatabaseServer server, String token) {
    return open(server, true, token);
  }

  /** A client that takes no reply. */
  static RawClient deaf(DatabaseServer server) {
    return open(server, false, "");
  }

  private static RawClient open(DatabaseServer server, boolean reading, String token) {
    Metadata header = new Metadata();
    header.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    RawClient client =
        new RawClient(
            NettyChannelBuilder.forAddress("127.0.0.1", server.port())
                .usePlaintext()
                .directExecutor()
                .build());
    StoreGrpc.newStub(client.channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(header))
        .session(client.observer(reading));
    return client;
  }

  private ClientResponseObserver<ClientFrame, ServerFrame> observer(boolean reading) {
    return new ClientResponseObserver<>() {
      @Override
      public void beforeStart(ClientCallStreamObserver<ClientFrame> requestStream) {
        stream = requestStream;
        if (!reading) {
          requestStream.disableAutoRequestWithInitial(0);
        }
      }

      @Override
      public void onNext(ServerFrame frame) {
        replies.addAll(frame.getRepliesList());
      }

      @Override
      public void onError(Throwable failure) {
        ended.complete(Status.fromThrowable(failure));
      }

      @Override
      public void onCompleted() {
        ended.complete(Status.OK);
      }
    };
  }

  /** Opens another session on its connection, of which it takes no notice. */
  void openAnother() {
    StoreGrpc.newStub(channel).session(new RawClient(channel).observer(true));
  }

  RawClient greet() {
    return greet(2);
  }

  RawClient greet(int protocol) {
    return send(
        Request.newBuilder().setId(1).setHello(Hello.newBuilder().setProtocol(protocol)).build());
  }

  /** Greets as the client {@code id}. */
  RawClient greetAs(ByteString id) {
    Hello hello = Hello.newBuilder().setProtocol(2).setClient(id).build();
    return send(Request.newBuilder().setId(1).setHello(hello).build());
  }

  RawClient send(Request... requests) {
    ClientFrame.Builder frame = ClientFrame.newBuilder();
    for (Request request : requests) {
      frame.addRequests(request);
    }
    stream.onNext(frame.build());
    return this;
  }

  /** Says that no more requests come. */
  RawClient sendNoMore() {
    stream.onCompleted();
    return this;
  }

  /** The next reply. */
  Reply reply() throws InterruptedException {
    Reply reply = replies.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (reply == null) {
      throw new AssertionError("No reply within " + PATIENCE_SECONDS + " s");
    }
    return reply;
  }

  /** How the server ended the session. */
  Status end() throws Exception {
    return ended.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
