package dev.tidemark.pulse.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;

/** A connection to a redis-server for the few commands with which a test handles the server. */
final class RedisTalk implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 10_000;

  private final Socket socket;
  private final InputStream input;

  private RedisTalk(Socket socket) throws IOException {
    this.socket = socket;
    this.input = new BufferedInputStream(socket.getInputStream());
  }

  static RedisTalk to(int port) {
    Socket socket = new Socket();
    try {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
      return new RedisTalk(socket);
    } catch (IOException failure) {
      try (socket) {
        throw new UncheckedIOException("Nobody answers at port " + port, failure);
      } catch (IOException ignored) {
        throw new UncheckedIOException("Nobody answers at port " + port, failure);
      }
    }
  }

  /** The answer to one command, as text. */
  String ask(String... words) {
    try {
      ByteArrayOutputStream request = new ByteArrayOutputStream();
      request.writeBytes(line("*" + words.length));
      for (String word : words) {
        byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
        request.writeBytes(line("$" + bytes.length));
        request.writeBytes(bytes);
        request.writeBytes(line(""));
      }
      socket.getOutputStream().write(request.toByteArray());
      return answer();
    } catch (IOException failure) {
      throw new UncheckedIOException("The redis-server does not answer " + words[0], failure);
    }
  }

  private static byte[] line(String text) {
    return (text + "\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  private String answer() throws IOException {
    String head = readLine();
    return switch (head.charAt(0)) {
      case '$' -> head.equals("$-1") ? "(nil)" : "$" + bulk(Integer.parseInt(head.substring(1)));
      case '*' -> head.equals("*-1") ? "(nil)" : list(Integer.parseInt(head.substring(1)));
      default -> head;
    };
  }

  private String list(int size) throws IOException {
    StringJoiner list = new StringJoiner(", ", "[", "]");
    for (int i = 0; i < size; i++) {
      list.add(answer());
    }
    return list.toString();
  }

  private String bulk(int size) throws IOException {
    byte[] bytes = input.readNBytes(size + 2);
    if (bytes.length < size + 2) {
      throw new EOFException("The answer ends early");
    }
    return new String(bytes, 0, size, StandardCharsets.UTF_8);
  }

  private String readLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = input.read(); next != '\n'; next = input.read()) {
      if (next < 0) {
        throw new EOFException("The server closed the connection");
      }
      line.write(next);
    }
    return line.toString(StandardCharsets.UTF_8).stripTrailing();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException failure) {
      throw new UncheckedIOException("The connection does not close", failure);
    }
  }
}
