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
 * Whoever puts a message in line while no sender is about starts one, on a virtual thread. By the
 * time it runs, the other threads that were ready to run have put theirs in line too, and all go out
 * as one frame. Under load frames are large, and an idle line sends at once.
 *
 * Where others are about to come, the sender lets them run and then waits for them, a moment at a
 * time for as long as some come. The last of them need not wait for the sender: it sends itself, and
 * the sender finds nothing left to do.
 *
 * At most one thread is SENDING, and it alone talks to the transport. It becomes IDLE before the line
 * is looked at for the last time, so a message that joins at that moment meets either the old sender
 * or a new one. While somebody is GATHERING there is a thread that will send, or find that another
 * one has. After the end it is SENDING for ever.
 */

/** Messages that wait to be sent, and go out as frames when the transport takes some. */
public final class Outbox<M, F> {
  /** Much shorter than a round trip under load, and long enough for others to have their turn. */
  private static final long GATHER_NANOS = 30_000;

  /** How often a sender lets others run before it waits for them. */
  private static final int YIELDS = 2;

  /** How often it waits at most, and how often if nobody comes. */
  private static final int WAITS = 8;

  private static final int WAITS_IN_VAIN = 2;

  private static final int FRAME_BYTES = 1 << 20;

  /** Of a client, which has one connection and so no others to share the memory with. */
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
   * An outbox to {@code transport}. While more of {@code crowd} are to come, a frame waits a moment
   * for them; frames wait for {@code room}; {@code onSent} is told after each one.
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

  /** Puts {@code message} in line; it goes out with the next frame. */
  public void enqueue(M message) {
    bytes.addAndGet(sizes.applyAsInt(message));
    line.add(message);
  }

  /** Has what is in line sent soon, together with what joins it until then. */
  public void send() {
    if (state.get() == State.IDLE
        && (canSend() || end.get() != null)
        && state.compareAndSet(State.IDLE, State.GATHERING)) {
      Thread.startVirtualThread(this::gatherAndDrain);
    }
  }

  /** Sends what is in line, on this thread if nobody else is to come. */
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
   * Sends one frame of what is in line on this thread, unless another one is at it. What joins the
   * line meanwhile is left to others: this thread has more to do than their work.
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
   * Drops what is in line, has {@code last} done when the frame under way is sent, and sends
   * nothing any more. Only the first call counts.
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
      // The stream has ended at the other side; whoever observes it is told why.
      end.compareAndSet(null, () -> {});
    }
    bytes.addAndGet(-size);
    framesSent.incrementAndGet();
    onSent.run();
  }

  /** Bytes of the messages in line. */
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
