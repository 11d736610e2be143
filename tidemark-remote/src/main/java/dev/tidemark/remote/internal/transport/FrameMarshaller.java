package dev.tidemark.remote.internal.transport;

import dev.tidemark.remote.internal.wire.StoreGrpc;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** Passes frames to and from gRPC as bytes. */
public final class FrameMarshaller implements MethodDescriptor.Marshaller<Frame> {
  private static final FrameMarshaller INSTANCE = new FrameMarshaller();

  /** The call that is a session. */
  public static final MethodDescriptor<Frame, Frame> SESSION =
      StoreGrpc.getSessionMethod().toBuilder(INSTANCE, INSTANCE).build();

  private FrameMarshaller() {}

  @Override
  public InputStream stream(Frame frame) {
    return new Outgoing(frame);
  }

  @Override
  public Frame parse(InputStream stream) {
    try {
      if (!(stream instanceof KnownLength)) {
        return Frame.of(stream.readAllBytes());
      }
      byte[] bytes = new byte[stream.available()];
      int read = stream.readNBytes(bytes, 0, bytes.length);
      if (read < bytes.length) {
        throw new IOException("%,d bytes came of %,d".formatted(read, bytes.length));
      }
      return Frame.of(bytes);
    } catch (IOException unreadable) {
      throw Status.INTERNAL
          .withDescription("a frame cannot be read")
          .withCause(unreadable)
          .asRuntimeException();
    }
  }

  /** Bytes that write themselves where gRPC wants them. */
  private static final class Outgoing extends InputStream implements Drainable, KnownLength {
    private final Frame frame;

    /** All pieces as one stream. */
    private @Nullable ByteArrayInputStream joined;

    private boolean drained;

    Outgoing(Frame frame) {
      this.frame = frame;
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      int left = available();
      if (joined != null) {
        joined.transferTo(target);
      } else if (!drained) {
        for (byte[] piece : frame.pieces()) {
          target.write(piece);
        }
      }
      drained = true;
      return left;
    }

    @Override
    public int available() {
      return joined != null ? joined.available() : drained ? 0 : frame.size();
    }

    @Override
    public int read() throws IOException {
      return joined().read();
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
      return joined().read(target, from, length);
    }

    private InputStream joined() throws IOException {
      if (joined == null) {
        ByteArrayOutputStream all = new ByteArrayOutputStream(available());
        drainTo(all);
        joined = new ByteArrayInputStream(all.toByteArray());
      }
      return joined;
    }
  }
}
