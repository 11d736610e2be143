package dev.tidemark.remote;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A client that speaks HTTP/2 itself, and so can stop where gRPC would not. */
final class Http2Client implements AutoCloseable {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RESET = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GO_AWAY = 7;
  private static final int END_HEADERS = 4;
  private static final byte[] GREETING = {10, 6, 8, 1, 18, 2, 8, 2};

  private final Socket socket;
  private final DataOutputStream out;
  private final DataInputStream in;

  private Http2Client(Socket socket) throws IOException {
    this.socket = socket;
    this.out = new DataOutputStream(socket.getOutputStream());
    this.in = new DataInputStream(socket.getInputStream());
  }

  /** A connection that has begun to speak HTTP/2. */
  static Http2Client connect(DatabaseServer server) throws IOException {
    return connect(server.port());
  }

  /** A connection to {@code port} that has begun to speak HTTP/2. */
  static Http2Client connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(20_000);
    Http2Client client = new Http2Client(socket);
    client.out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    client.write(SETTINGS, 0, 0, new byte[0]);
    return client;
  }

  /** Opens a session and greets. */
  Http2Client greet() throws IOException {
    return greet("");
  }

  /** Opens a session with {@code token} and greets. */
  Http2Client greet(String token) throws IOException {
    open(1, "/tidemark.remote.v1.Store/Session", token);
    return message(GREETING.length, GREETING);
  }

  /** Opens a stream for a call of {@code method}. */
  Http2Client open(int stream, String method, String token) throws IOException {
    ByteArrayOutputStream headers = new ByteArrayOutputStream();
    headers.write(0x83); // :method POST
    headers.write(0x86); // :scheme http
    header(headers, 0x04, method);
    header(headers, 0x01, "localhost");
    headers.write(0x0f);
    header(headers, 0x10, "application/grpc");
    header(headers, 0, "te");
    header(headers, "trailers");
    if (!token.isEmpty()) {
      headers.write(0x0f);
      header(headers, 0x08, "Bearer " + token); // authorization
    }
    write(HEADERS, END_HEADERS, stream, headers.toByteArray());
    return this;
  }

  /** Ends a stream in the middle of its call. */
  Http2Client reset(int stream) throws IOException {
    write(RESET, 0, stream, new byte[] {0, 0, 0, 8});
    return this;
  }

  /** Asks for a sign of life and does not wait for it. */
  Http2Client ping() throws IOException {
    write(PING, 0, 0, new byte[8]);
    return this;
  }

  private static void header(ByteArrayOutputStream headers, int name, String text) {
    headers.write(name);
    header(headers, text);
  }

  private static void header(ByteArrayOutputStream headers, String text) {
    headers.write(text.length());
    headers.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Sends {@code bytes} of a frame that has {@code length} of them. */
  Http2Client message(int length, byte[] bytes) throws IOException {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    message.write(0); // not compressed
    new DataOutputStream(message).writeInt(length);
    message.writeBytes(bytes);
    write(DATA, 0, 1, message.toByteArray());
    return this;
  }

  /** Sends more of a frame that was announced with {@link #message}. */
  Http2Client more(byte[] bytes) throws IOException {
    write(DATA, 0, 1, bytes);
    return this;
  }

  private void write(int type, int flags, int stream, byte[] bytes) throws IOException {
    out.writeInt((bytes.length << 8) | type);
    out.writeByte(flags);
    out.writeInt(stream);
    out.write(bytes);
    out.flush();
  }

  /** Whether the server answers on this connection, or ends it. */
  boolean isAnswered() throws IOException {
    try {
      write(PING, 0, 0, new byte[8]);
      int type;
      do {
        int length = in.readInt();
        type = length & 0xff;
        in.skipNBytes((length >>> 8) + 5); // flags, stream and what is in it
      } while (type != PING && type != GO_AWAY);
      return type == PING;
    } catch (EOFException | SocketException ended) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
