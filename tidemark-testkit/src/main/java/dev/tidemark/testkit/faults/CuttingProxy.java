package dev.tidemark.testkit.faults;

import dev.tidemark.kv.TimeSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Connections between clients and a server that can be cut. The port for clients stays the same
 * while the server behind it comes and goes.
 */
public final class CuttingProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 16 << 10;
  private static final int CONNECT_MILLIS = 2_000;
  private static final int SILENCE_MILLIS_MAX = 200;

  private final ServerSocket listener;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private volatile int target;

  /** The reply that is to get lost, until it has. */
  private volatile Optional<Loss> loss = Optional.empty();

  /** Texts in a request and in the reply to it. */
  private record Loss(String request, String reply) {}

  private CuttingProxy(ServerSocket listener) {
    this.listener = listener;
  }

  /** Opens a proxy at a port of the loopback address, without a server behind it yet. */
  public static CuttingProxy open() {
    try {
      CuttingProxy proxy =
          new CuttingProxy(new ServerSocket(0, 64, InetAddress.getLoopbackAddress()));
      Thread.ofPlatform().daemon().name("cutting-proxy").start(proxy::accept);
      return proxy;
    } catch (IOException failure) {
      throw new UncheckedIOException("The proxy cannot listen", failure);
    }
  }

  /** One client's connection and the one to the server that belongs to it. */
  private final class Link {
    private final Socket client;
    private final Socket server;

    /** Whether replies get lost on their way, while requests still arrive. */
    private volatile boolean silent;

    /** The loss whose request came through here. */
    private volatile Optional<Loss> asked = Optional.empty();

    private Link(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    private void start() {
      links.add(this);
      Thread.startVirtualThread(() -> forward(client, server, false));
      Thread.startVirtualThread(() -> forward(server, client, true));
    }

    private void forward(Socket from, Socket to, boolean replies) {
      byte[] buffer = new byte[BUFFER_BYTES];
      try (InputStream in = from.getInputStream();
          OutputStream out = to.getOutputStream()) {
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          listen(new String(buffer, 0, count, StandardCharsets.ISO_8859_1), replies);
          if (!(replies && silent)) {
            out.write(buffer, 0, count);
          }
        }
      } catch (IOException cut) {
        // Either side may go at any time; the other one follows.
      } finally {
        cut(false);
      }
    }

    private void listen(String text, boolean replies) {
      Optional<Loss> wanted = loss;
      if (wanted.isEmpty()) {
        return;
      }
      if (!replies && text.contains(wanted.get().request())) {
        asked = wanted;
      } else if (replies && asked.equals(wanted) && text.contains(wanted.get().reply())) {
        silent = true;
        loss = Optional.empty();
      }
    }

    /** Ends both connections, with a reset if {@code hard}. True for the first call. */
    private boolean cut(boolean hard) {
      boolean first = links.remove(this);
      for (Socket socket : List.of(client, server)) {
        try (socket) {
          if (hard) {
            socket.setSoLinger(true, 0);
          }
        } catch (IOException closedAlready) {
          // That is what was wanted.
        }
      }
      return first;
    }
  }

  /** Where clients connect to. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Sends connections from now on to the server at {@code port} of the loopback address. */
  public void target(int port) {
    target = port;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Thread.startVirtualThread(() -> connect(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void connect(Socket client) {
    Socket server = new Socket();
    Link link = new Link(client, server);
    try {
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      server.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), target), CONNECT_MILLIS);
      link.start();
    } catch (IOException nobodyThere) {
      link.cut(true);
    }
  }

  /**
   * Cuts one connection or all, at once or after a time in which replies get lost while requests
   * still arrive; returns how many.
   */
  public int cut(SplittableRandom random) throws InterruptedException {
    List<Link> victims = new ArrayList<>(links);
    if (!victims.isEmpty() && random.nextBoolean()) {
      victims = List.of(victims.get(random.nextInt(victims.size())));
    }
    if (random.nextBoolean()) {
      victims.forEach(link -> link.silent = true);
      TimeSource.system().sleep(Duration.ofMillis(random.nextInt(SILENCE_MILLIS_MAX)));
    }
    boolean hard = random.nextBoolean();
    return (int) victims.stream().filter(link -> link.cut(hard)).count();
  }

  /** Lets the replies of all connections that there are now get lost; requests still arrive. */
  public void loseReplies() {
    links.forEach(link -> link.silent = true);
  }

  /**
   * Lets the next reply get lost that has the text {@code reply} in it and follows a request with
   * {@code request} on the same connection, and all replies behind it there. The texts have to be
   * short enough to come in one piece.
   */
  public void loseReply(String request, String reply) {
    loss = Optional.of(new Loss(request, reply));
  }

  /** Whether the reply that {@link #loseReply} spoke of has come, and is lost. */
  public boolean hasLostReply() {
    return loss.isEmpty();
  }

  /** Cuts all connections at once; returns how many. */
  public int cutAll() {
    return (int) List.copyOf(links).stream().filter(link -> link.cut(true)).count();
  }

  /** Ends the proxy and all connections. */
  @Override
  public void close() {
    try (listener) {
      links.forEach(link -> link.cut(true));
    } catch (IOException failure) {
      throw new UncheckedIOException("The proxy does not close", failure);
    }
  }
}
