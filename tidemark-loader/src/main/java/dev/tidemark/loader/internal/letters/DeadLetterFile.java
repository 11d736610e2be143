package dev.tidemark.loader.internal.letters;

import dev.tidemark.loader.DeadLetter;
import dev.tidemark.loader.DeadLetters;
import dev.tidemark.loader.internal.json.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Appends dead letters to a file, each as a line of JSON. Several processes may share the file. */
public final class DeadLetterFile implements DeadLetters {
  /** Of all files: the lock of a file holds off other processes, and refuses other threads. */
  private static final ReentrantLock LOCK = new ReentrantLock();

  private final Path file;

  /** For {@code file}, which is created when the first letter comes. */
  public DeadLetterFile(Path file) {
    this.file = file;
  }

  @Override
  @SuppressWarnings("try") // the lock is held, and not looked at
  public void write(List<DeadLetter> letters) {
    StringBuilder lines = new StringBuilder();
    for (DeadLetter letter : letters) {
      lines.append(JsonText.object(members(letter))).append('\n');
    }
    LOCK.lock();
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        FileLock alone = channel.lock()) {
      long begin = channel.size();
      String text = isTorn(begin) ? "\n" + lines : lines.toString();
      append(channel, begin, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException failure) {
      throw new UncheckedIOException(
          "%d dead letters cannot be appended to %s; their messages are given back"
              .formatted(letters.size(), file),
          failure);
    } finally {
      LOCK.unlock();
    }
  }

  /** Whether a process that wrote the end of the file was killed within a line. */
  private boolean isTorn(long size) throws IOException {
    if (size == 0) {
      return false;
    }
    ByteBuffer last = ByteBuffer.allocate(1);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return channel.read(last, size - 1) == 1 && last.get(0) != '\n';
    }
  }

  /** Appends, or leaves no trace. */
  private static void append(FileChannel channel, long begin, ByteBuffer bytes) throws IOException {
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    } catch (IOException failure) {
      channel.truncate(begin);
      throw failure;
    }
  }

  private static Map<String, Object> members(DeadLetter letter) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("delivery", letter.delivery());
    members.put("source", letter.source());
    members.put("message", letter.message().id());
    members.put("published_at", letter.message().publishedAt());
    members.put("deliveries", letter.message().deliveries());
    members.put("reason", letter.reason());
    members.put("at", letter.at());
    members.put("attributes", letter.message().attributes());
    members.put("body", Base64.getEncoder().encodeToString(letter.message().body()));
    return members;
  }
}
