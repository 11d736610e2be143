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
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(20_000);
    Http2Client client = new Http2Client(socket);
    client.out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    client.write(SETTINGS, 0, 0, new byte[0]);
    return client;
  }

  /** Opens a session and greets. */
  Http2Client greet() throws IOException {
    ByteArrayOutputStream headers = new ByteArrayOutputStream();
    headers.write(0x83); // :method POST
    headers.write(0x86); // :scheme http
    header(headers, 0x04, "/tidemark.remote.v1.Store/Session");
    header(headers, 0x01, "localhost");
    headers.write(0x0f);
    header(headers, 0x10, "application/grpc");
    header(headers, 0, "te");
    header(headers, "trailers");
    write(HEADERS, END_HEADERS, 1, headers.toByteArray());
    return message(GREETING.length, GREETING);
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
