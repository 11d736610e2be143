package dev.tidemark.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** A service with a short call, one that waits, and a stream that stays open. */
final class EchoService {
  static final MethodDescriptor<String, String> SAY =
      method("Say", MethodDescriptor.MethodType.UNARY);
  static final MethodDescriptor<String, String> WAIT =
      method("Wait", MethodDescriptor.MethodType.UNARY);
  static final MethodDescriptor<String, String> FOLLOW =
      method("Follow", MethodDescriptor.MethodType.SERVER_STREAMING);

  final CountDownLatch waiting = new CountDownLatch(1);
  final CountDownLatch goOn = new CountDownLatch(1);
  final CountDownLatch following = new CountDownLatch(1);
  private final Queue<StreamObserver<String>> followers = new ConcurrentLinkedQueue<>();

  private static MethodDescriptor<String, String> method(
      String name, MethodDescriptor.MethodType type) {
    return MethodDescriptor.<String, String>newBuilder()
        .setType(type)
        .setFullMethodName("test.Echo/" + name)
        .setRequestMarshaller(new Text())
        .setResponseMarshaller(new Text())
        .build();
  }

  ServerServiceDefinition definition() {
    return ServerServiceDefinition.builder("test.Echo")
        .addMethod(SAY, ServerCalls.asyncUnaryCall(EchoService::say))
        .addMethod(WAIT, ServerCalls.asyncUnaryCall(this::await))
        .addMethod(FOLLOW, ServerCalls.asyncServerStreamingCall(this::follow))
        .build();
  }

  private static void say(String text, StreamObserver<String> reply) {
    String thread = Thread.currentThread().isVirtual() ? "virtual" : "network";
    reply.onNext("%s by %s on %s".formatted(text, Caller.current().role(), thread));
    reply.onCompleted();
  }

  private void await(String text, StreamObserver<String> reply) {
    waiting.countDown();
    try {
      goOn.await();
      if (!((ServerCallStreamObserver<String>) reply).isCancelled()) {
        reply.onNext(text);
        reply.onCompleted();
      }
    } catch (InterruptedException interrupt) {
      reply.onError(Status.CANCELLED.asRuntimeException());
    }
  }

  private void follow(String text, StreamObserver<String> replies) {
    followers.add(replies);
    replies.onNext(text);
    following.countDown();
  }

  void endFollowers() {
    followers.forEach(
        follower ->
            follower.onError(
                Status.UNAVAILABLE.withDescription("go elsewhere").asRuntimeException()));
  }

  static String call(Channel channel, MethodDescriptor<String, String> method, String text) {
    return ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, text);
  }

  private record Text() implements MethodDescriptor.Marshaller<String> {
    @Override
    public InputStream stream(String value) {
      return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String parse(InputStream stream) {
      try {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      }
    }
  }
}
