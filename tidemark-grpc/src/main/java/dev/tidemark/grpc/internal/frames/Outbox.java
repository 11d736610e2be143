package dev.tidemark.grpc.internal.frames;

import dev.tidemark.grpc.NetworkRoom;
import io.grpc.stub.CallStreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/*
 * Why frames gather by themselves
 *
 * A thread that enqueues a message while no sender is active starts one, on a virtual thread. By
 * the time it runs, other threads that were ready to run have enqueued theirs too, and one frame
 * carries all of them. Under load frames are large, and an idle stream sends at once.
 *
 * While more messages are expected, the sender lets other threads run and then waits for them, a
 * moment at a time for as long as some come. The last of them need not wait for the sender: it
 * sends the frame itself, and the sender finds nothing left to do.
 *
 * At most one thread is SENDING, and it alone talks to the transport. It becomes IDLE before it
 * looks at the queue for the last time, so a message that is enqueued at that moment is seen by
 * the old sender or starts a new one. While the state is GATHERING there is a thread that will
 * send, or find that another thread has. After the end the state stays SENDING. A frame that cannot
 * be made or handed over, as where memory is short, ends the stream: its sender must not stop
 * without that, or nothing would be sent any more while both sides wait.
 */

/** Messages that wait to be sent, and go out as frames when the transport takes some. */
public final class Outbox<M, F> {
  /** Much shorter than a round trip under load, and long enough for other threads to run. */
  private static final long GATHER_NANOS = 30_000;

  /** How often a sender lets others run before it waits for them. */
  private static final int YIELDS = 2;

  /** The most waits for one frame, and the waits after which a sender gives up on others. */
  private static final int WAITS = 8;

  private static final int WAITS_IN_VAIN = 2;

  private static final int FRAME_BYTES = 1 << 20;

  /** The room of a client, which has only one connection. */
  public static final NetworkRoom ENOUGH_ROOM =
      new NetworkRoom() {
        @Override
        public boolean isFull() {
          return false;
        }

        @Override
        public void whenFree(Runnable action) {
          action.run();
        }
      };

  /** Most messages in one frame. */
  public static final int FRAME_MESSAGES = 4_096;

  private final CallStreamObserver<F> transport;
  private final ToIntFunction<M> sizes;
  private final Function<List<M>, F> frames;
  private final Crowd crowd;
  private final NetworkRoom room;
  private final Runnable onSent;
  private final ConcurrentLinkedQueue<M> line = new ConcurrentLinkedQueue<>();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong framesSent = new AtomicLong();
  private final AtomicBoolean awaitsRoom = new AtomicBoolean();
  private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
  private final AtomicReference<@Nullable Runnable> end = new AtomicReference<>();

  private enum State {
    IDLE,
    GATHERING,
    SENDING
  }

  /**
   * An outbox to {@code transport}. While {@code crowd} expects more requests, a frame waits a
   * moment for them; frames wait for {@code room}; {@code onSent} is called after each frame.
   */
  public Outbox(
      CallStreamObserver<F> transport,
      ToIntFunction<M> sizes,
      Function<List<M>, F> frames,
      Crowd crowd,
      NetworkRoom room,
      Runnable onSent) {
    this.transport = transport;
    this.sizes = sizes;
    this.frames = frames;
    this.crowd = crowd;
    this.room = room;
    this.onSent = onSent;
  }

  /** Enqueues {@code message}; the next frame carries it. */
  public void enqueue(M message) {
    bytes.addAndGet(sizes.applyAsInt(message));
    line.add(message);
  }

  /** Sends the queue soon, with what is enqueued until then. */
  public void send() {
    if (state.get() == State.IDLE
        && (canSend() || end.get() != null)
        && state.compareAndSet(State.IDLE, State.GATHERING)) {
      Thread.startVirtualThread(this::gatherAndDrain);
    }
  }

  /** Sends the queue, on this thread if no more messages are expected. */
  public void sendWithCrowd() {
    if (crowd.isMoreToCome()) {
      send();
    } else {
      sendHere();
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // where yielding does nothing, the waits below do it
  private void gatherAndDrain() {
    for (int i = 0; i < YIELDS && isGathering(); i++) {
      Thread.yield();
    }
    int inVain = 0;
    for (int i = 0; i < WAITS && inVain < WAITS_IN_VAIN && isGathering(); i++) {
      long before = bytes.get();
      LockSupport.parkNanos(GATHER_NANOS);
      inVain = bytes.get() == before ? inVain + 1 : 0;
    }
    if (isGathering()) {
      crowd.stayedAway();
    }
    if (state.compareAndSet(State.GATHERING, State.SENDING)) {
      drain();
    }
  }

  private boolean isGathering() {
    return state.get() == State.GATHERING && end.get() == null && crowd.isMoreToCome();
  }

  /**
   * Sends one frame from the queue on this thread, unless another thread is sending. Messages
   * enqueued meanwhile are left to other threads, so that this one does not do their work for ever.
   */
  public void sendHere() {
    if (beginSending()) {
      if (end.get() == null && canSend()) {
        sendFrame();
      }
      state.set(State.IDLE);
      if (canSend() || end.get() != null) {
        send();
      }
    }
  }

  private boolean beginSending() {
    return state.compareAndSet(State.IDLE, State.SENDING)
        || state.compareAndSet(State.GATHERING, State.SENDING);
  }

  /**
   * Drops the queue, runs {@code last} when the current frame is sent, and sends nothing
   * afterwards. Only the first call counts.
   */
  public void end(Runnable last) {
    if (end.compareAndSet(null, last)) {
      send();
    }
  }

  private void drain() {
    boolean holding = true;
    while (holding) {
      Runnable last = end.get();
      if (last != null) {
        line.clear();
        bytes.set(0);
        last.run();
        return;
      }
      if (canSend()) {
        sendFrame();
      } else {
        state.set(State.IDLE);
        holding = (canSend() || end.get() != null) && beginSending();
      }
    }
  }

  private boolean canSend() {
    return !line.isEmpty() && transport.isReady() && hasRoom();
  }

  /** Whether the network has room for a frame; if not, it is tried again when it has. */
  private boolean hasRoom() {
    if (!room.isFull()) {
      return true;
    }
    if (awaitsRoom.compareAndSet(false, true)) {
      room.whenFree(
          () -> {
            awaitsRoom.set(false);
            send();
          });
    }
    return false;
  }

  private void sendFrame() {
    List<M> gathered = new ArrayList<>();
    long size = 0;
    for (M next = line.peek();
        next != null && size < FRAME_BYTES && gathered.size() < FRAME_MESSAGES;
        next = line.peek()) {
      int more = sizes.applyAsInt(next);
      if (size > 0 && size + more > FRAME_BYTES) {
        break;
      }
      line.remove();
      gathered.add(next);
      size += more;
    }
    try {
      transport.onNext(frames.apply(gathered));
    } catch (IllegalStateException over) {
      // The other side has ended the stream; its observer gets the reason.
      end.compareAndSet(null, () -> {});
    } catch (RuntimeException | Error failure) {
      endBecause(failure);
    }
    bytes.addAndGet(-size);
    framesSent.incrementAndGet();
    try {
      onSent.run();
    } catch (RuntimeException | Error failure) {
      endBecause(failure);
    }
  }

  /** Ends the stream: something is lost, and whoever waits for it has to learn of that. */
  private void endBecause(Throwable failure) {
    end.compareAndSet(null, () -> abort(failure));
    Thread sender = Thread.currentThread();
    sender.getUncaughtExceptionHandler().uncaughtException(sender, failure);
  }

  private void abort(Throwable failure) {
    try {
      transport.onError(failure);
    } catch (IllegalStateException over) {
      // The stream has ended meanwhile.
    }
  }

  /** The bytes of the queued messages. */
  public long bytes() {
    return bytes.get();
  }

  /** Frames sent so far. */
  public long framesSent() {
    return framesSent.get();
  }

  /** Whether everything has been handed to the transport. */
  public boolean isIdle() {
    return line.isEmpty() && state.get() == State.IDLE;
  }
}
