package dev.tidemark.chaos.run;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The parent as its child sees it: somebody to tell everything, and never to outlive. */
public final class Parent {
  private static final int GONE = 3;

  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
  private final ReentrantLock outLock = new ReentrantLock();

  private Parent() {}

  /** Ends this process when the parent does; gives {@code listener} the lines that it says. */
  public static Parent watch(Consumer<String> listener) {
    Parent parent = new Parent();
    Thread.ofPlatform().daemon().name("parent-watch").start(() -> listen(listener));
    return parent;
  }

  public void tell(Message message) {
    byte[] line = (message.line() + "\n").getBytes(StandardCharsets.UTF_8);
    outLock.lock();
    try {
      out.write(line);
    } catch (IOException parentGone) {
      Runtime.getRuntime().halt(GONE);
    } finally {
      outLock.unlock();
    }
  }

  private static void listen(Consumer<String> listener) {
    try (var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        listener.accept(line);
      }
    } catch (IOException unreadable) {
      // The same as its end: nobody is there any more.
    }
    Runtime.getRuntime().halt(GONE);
  }
}
