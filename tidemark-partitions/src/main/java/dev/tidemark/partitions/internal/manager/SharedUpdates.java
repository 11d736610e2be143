package dev.tidemark.partitions.internal.manager;

import dev.tidemark.partitions.internal.wire.ManagerGrpc;
import dev.tidemark.partitions.internal.wire.RoutingUpdate;
import dev.tidemark.partitions.internal.wire.WatchRoutingRequest;
import io.grpc.BindableService;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Encodes a message of routes once for all its watchers, where gRPC would encode it for each of
 * them: all new watchers of a large table get the same megabyte.
 */
final class SharedUpdates implements MethodDescriptor.Marshaller<RoutingUpdate> {
  /**
   * The whole table and the changes since the latest versions: more are seldom needed at a time.
   */
  private static final int KEPT = 3;

  private final MethodDescriptor.Marshaller<RoutingUpdate> protobuf =
      ManagerGrpc.getWatchRoutingMethod().getResponseMarshaller();
  private final ReentrantLock encoding = new ReentrantLock();

  /** The last ones, newest first. Guarded by the lock. */
  private final Deque<Encoded> kept = new ArrayDeque<>();

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Encoded(RoutingUpdate update, byte[] bytes) {}

  /** The manager's service, with watchers that share what is encoded. */
  @SuppressWarnings("unchecked") // the method of this name has these messages
  static ServerServiceDefinition in(BindableService manager) {
    MethodDescriptor<WatchRoutingRequest, RoutingUpdate> watch =
        ManagerGrpc.getWatchRoutingMethod();
    ServerServiceDefinition all = manager.bindService();
    ServerServiceDefinition.Builder shared =
        ServerServiceDefinition.builder(all.getServiceDescriptor().getName());
    for (ServerMethodDefinition<?, ?> method : all.getMethods()) {
      if (method.getMethodDescriptor().getFullMethodName().equals(watch.getFullMethodName())) {
        shared.addMethod(
            watch.toBuilder().setResponseMarshaller(new SharedUpdates()).build(),
            (ServerCallHandler<WatchRoutingRequest, RoutingUpdate>) method.getServerCallHandler());
      } else {
        shared.addMethod(method);
      }
    }
    return shared.build();
  }

  @Override
  public InputStream stream(RoutingUpdate update) {
    return new Bytes(bytes(update));
  }

  private byte[] bytes(RoutingUpdate update) {
    encoding.lock();
    try {
      for (Encoded known : kept) {
        if (isSame(known.update, update)) {
          return known.bytes;
        }
      }
      byte[] bytes = update.toByteArray();
      kept.addFirst(new Encoded(update, bytes));
      if (kept.size() > KEPT) {
        kept.removeLast();
      }
      return bytes;
    } finally {
      encoding.unlock();
    }
  }

  /** To compare the entries would take as long as to encode them. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(RoutingUpdate one, RoutingUpdate other) {
    return one == other;
  }

  @Override
  public RoutingUpdate parse(InputStream stream) {
    return protobuf.parse(stream);
  }

  /** Bytes that write themselves where gRPC wants them. */
  private static final class Bytes extends ByteArrayInputStream implements Drainable, KnownLength {
    Bytes(byte[] bytes) {
      super(bytes);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      int left = available();
      target.write(buf, pos, left);
      pos = count;
      return left;
    }
  }
}
