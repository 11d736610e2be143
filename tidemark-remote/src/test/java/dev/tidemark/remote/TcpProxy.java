package dev.tidemark.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A wire between client and server that tests can cut. */
final class TcpProxy implements AutoCloseable {
  private final ServerSocket listening;
  private final int target;
  private final LongSupplier budgets;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger cuts = new AtomicInteger();
  private final Set<AtomicBoolean> silent = ConcurrentHashMap.newKeySet();
  private volatile boolean swallowReplies;

  private TcpProxy(ServerSocket listening, int target, LongSupplier budgets) {
    this.listening = listening;
    this.target = target;
    this.budgets = budgets;
  }

  /** A wire to {@code server} that holds. */
  static TcpProxy to(DatabaseServer server) {
    return to(server, () -> Long.MAX_VALUE);
  }

  /** A wire to {@code server} on which each connection is cut after {@code budgets} bytes. */
  static TcpProxy to(DatabaseServer server, LongSupplier budgets) {
    try {
      ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      TcpProxy proxy = new TcpProxy(listening, server.port(), budgets);
      Thread.startVirtualThread(proxy::accept);
      return proxy;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  URI uri() {
    return URI.create("tidemark://127.0.0.1:" + listening.getLocalPort());
  }

  /** Connections cut so far because their bytes were used up. */
  int cuts() {
    return cuts.get();
  }

  /** Cuts every connection; new ones can be made. */
  void cut() {
    open.forEach(TcpProxy::close);
  }

  /** From now on nothing that the server sends arrives. */
  void swallowReplies(boolean on) {
    swallowReplies = on;
  }

  /** Nothing goes over the connections of now any more, and neither side is told. */
  void goSilent() {
    silent.forEach(connection -> connection.set(true));
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        connect(listening.accept());
      } catch (IOException refused) {
        cuts.get(); // The client tries again.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    open.add(client);
    Socket server = new Socket();
    open.add(server);
    try {
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 1_000);
    } catch (IOException refused) {
      end(client, server);
      throw refused;
    }
    AtomicLong budget = new AtomicLong(budgets.getAsLong());
    AtomicBoolean mute = new AtomicBoolean();
    silent.add(mute);
    Thread.startVirtualThread(() -> pump(client, server, budget, mute, false));
    Thread.startVirtualThread(() -> pump(server, client, budget, mute, true));
  }

  private void pump(
      Socket from, Socket to, AtomicLong budget, AtomicBoolean mute, boolean replies) {
    byte[] buffer = new byte[4_096];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        long left = budget.addAndGet(-read);
        if (left < 0) {
          cuts.incrementAndGet();
          break;
        }
        if (!mute.get() && (!replies || !swallowReplies)) {
          out.write(buffer, 0, read);
        }
      }
    } catch (IOException cut) {
      budget.set(0);
    } finally {
      if (!mute.get()) {
        end(from, to); // A wire that has gone silent does not tell that the other side has left.
      }
    }
  }

  private void end(Socket client, Socket server) {
    close(client);
    close(server);
    open.remove(client);
    open.remove(server);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    cut();
  }
}
