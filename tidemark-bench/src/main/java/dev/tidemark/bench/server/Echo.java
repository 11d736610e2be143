package dev.tidemark.bench.server;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import dev.tidemark.bench.rows.Dataset;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The least that a remote read can be: a unary gRPC call with a key in it, answered with a value.
 */
public final class Echo implements AutoCloseable {
  private static final MethodDescriptor<BytesValue, BytesValue> METHOD =
      MethodDescriptor.<BytesValue, BytesValue>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("tidemark.bench.Echo/Get")
          .setRequestMarshaller(ProtoUtils.marshaller(BytesValue.getDefaultInstance()))
          .setResponseMarshaller(ProtoUtils.marshaller(BytesValue.getDefaultInstance()))
          .build();

  private final ManagedChannel channel;

  public Echo(int port) {
    channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .usePlaintext()
            .build();
  }

  /** One call; returns the value of {@link Dataset#VALUE_BYTES} that came back. */
  public byte[] get(byte[] key) {
    BytesValue request = BytesValue.of(ByteString.copyFrom(key));
    return ClientCalls.blockingUnaryCall(channel, METHOD, CallOptions.DEFAULT, request)
        .getValue()
        .toByteArray();
  }

  /** The server's side: the key, filled up to the size of a value. */
  static ServerServiceDefinition service() {
    return ServerServiceDefinition.builder("tidemark.bench.Echo")
        .addMethod(
            METHOD,
            ServerCalls.asyncUnaryCall(
                (request, responses) -> {
                  byte[] value = new byte[Dataset.VALUE_BYTES];
                  request.getValue().copyTo(value, 0);
                  responses.onNext(BytesValue.of(ByteString.copyFrom(value)));
                  responses.onCompleted();
                }))
        .build();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
