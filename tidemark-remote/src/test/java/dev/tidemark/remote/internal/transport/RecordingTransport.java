package dev.tidemark.remote.internal.transport;

import io.grpc.stub.CallStreamObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A transport that is always ready and keeps the first frames it is given. */
public class RecordingTransport<F> extends CallStreamObserver<F> {
  private static final int KEPT = 1_000;

  public final BlockingQueue<F> sent = new LinkedBlockingQueue<>();

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void onNext(F frame) {
    if (sent.size() < KEPT) {
      sent.add(frame);
    }
  }

  @Override
  public void setOnReadyHandler(Runnable handler) {}

  @Override
  public void disableAutoInboundFlowControl() {}

  @Override
  public void request(int count) {}

  @Override
  public void setMessageCompression(boolean enable) {}

  @Override
  public void onError(Throwable failure) {}

  @Override
  public void onCompleted() {}
}
