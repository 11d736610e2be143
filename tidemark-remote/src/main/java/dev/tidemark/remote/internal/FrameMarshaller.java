package dev.tidemark.remote.internal;

import dev.tidemark.remote.internal.wire.StoreGrpc;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Takes frames to gRPC and back as the bytes they are. */
final class FrameMarshaller implements MethodDescriptor.Marshaller<Frame> {
  private static final FrameMarshaller INSTANCE = new FrameMarshaller();

  /** The call that is a session. */
  static final MethodDescriptor<Frame, Frame> SESSION =
      StoreGrpc.getSessionMethod().toBuilder(INSTANCE, INSTANCE).build();

  private FrameMarshaller() {}

  @Override
  public InputStream stream(Frame frame) {
    return new Outgoing(frame.bytes());
  }

  @Override
  public Frame parse(InputStream stream) {
    try {
      if (!(stream instanceof KnownLength)) {
        return new Frame(stream.readAllBytes());
      }
      byte[] bytes = new byte[stream.available()];
      int read = stream.readNBytes(bytes, 0, bytes.length);
      if (read < bytes.length) {
        throw new IOException("%,d bytes came of %,d".formatted(read, bytes.length));
      }
      return new Frame(bytes);
    } catch (IOException unreadable) {
      throw Status.INTERNAL
          .withDescription("a frame cannot be read")
          .withCause(unreadable)
          .asRuntimeException();
    }
  }

  /** Bytes that write themselves where gRPC wants them. */
  private static final class Outgoing extends ByteArrayInputStream
      implements Drainable, KnownLength {
    Outgoing(byte[] bytes) {
      super(bytes);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      return (int) transferTo(target);
    }
  }
}
