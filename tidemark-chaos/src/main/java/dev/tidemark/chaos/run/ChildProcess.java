package dev.tidemark.chaos.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The parent's side of one child: it starts it, listens to it and kills it. */
public final class ChildProcess implements AutoCloseable {
  private final Process process;
  private final Path errors;
  private final Thread listener;
  private final Thread atExit;
  private final List<Message.Acknowledged> acknowledged = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private final Queue<Message.Fact> facts = new ConcurrentLinkedQueue<>();
  private final List<Message.Owned> owned = new ArrayList<>();
  private final BlockingQueue<Message> events = new LinkedBlockingQueue<>();
  private final CountDownLatch firstCommit = new CountDownLatch(1);

  /** The last number that each writer has told so far. */
  private final Map<Integer, Long> told = new ConcurrentHashMap<>();

  private int unknown;
  private long settled;
  private int builds;
  private int resumedBuilds;

  private ChildProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
    this.listener = Thread.ofPlatform().daemon().name("chaos-listener").start(this::listen);
    this.atExit = new Thread(this::destroy, "chaos-kill");
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Starts {@code program} as the child called {@code name}. */
  public static ChildProcess start(
      Workspace workspace, String name, Class<?> program, List<String> arguments) {
    return start(workspace, List.of(), name, program, arguments);
  }

  /** Starts {@code program}, through the command {@code prefix} if that is not empty. */
  public static ChildProcess start(
      Workspace workspace,
      List<String> prefix,
      String name,
      Class<?> program,
      List<String> arguments) {
    Path errors = workspace.path(name + "-errors.txt");
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // A short life: no time for the optimising compiler, no shared files left behind by a kill.
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED"));
    command.add("-XX:ErrorFile=" + workspace.path(name + "-crash.txt"));
    command.add("-Djava.io.tmpdir=" + workspace.temporary());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(program.getName());
    command.addAll(arguments);
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.to(errors.toFile()))
              .start();
      return new ChildProcess(process, errors);
    } catch (IOException failure) {
      throw new UncheckedIOException("The child process cannot be started", failure);
    }
  }

  /** Waits until the child has acknowledged a commit. */
  public boolean awaitFirstCommit(Duration timeout) throws InterruptedException {
    return firstCommit.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Waits for the next message of one kind, passing over others. */
  public <M extends Message> Optional<M> await(Class<M> kind, Duration timeout)
      throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      Message message = events.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (message == null) {
        return Optional.empty();
      }
      if (kind.isInstance(message)) {
        return Optional.of(kind.cast(message));
      }
    }
  }

  /** Whether the child has ended by itself, which it never should. */
  public boolean ended() {
    return !process.isAlive();
  }

  public void say(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException gone) {
      throw new UncheckedIOException("The child process does not listen: " + errors(), gone);
    }
  }

  /** Kills the child with SIGKILL and waits until everything it said has arrived. */
  public void kill() throws InterruptedException {
    destroy();
    process.waitFor();
    listener.join();
  }

  /** What was acknowledged. Only to be asked after {@link #kill}. */
  public List<Message.Acknowledged> acknowledged() {
    return List.copyOf(acknowledged);
  }

  /** The last number that each writer has told up to now. */
  public Map<Integer, Long> told() {
    return Map.copyOf(told);
  }

  /** What a member of a pool or of a sink has told so far, in its order. */
  public List<Message.Fact> facts() {
    return List.copyOf(facts);
  }

  /** When a member found jobs to be its own. Only to be asked after {@link #kill}. */
  public List<Message.Owned> owned() {
    return List.copyOf(owned);
  }

  /** Has the child stand still, or go on. */
  public void signal(String signal) throws InterruptedException {
    try {
      new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
    } catch (IOException failure) {
      throw new UncheckedIOException("No signal can be sent", failure);
    }
  }

  /** How many commits ended with an unknown result. Only to be asked after {@link #kill}. */
  public int unknown() {
    return unknown;
  }

  /**
   * How many commits clients have asked this server about. Only to be asked after {@link #kill}.
   */
  public long settled() {
    return settled;
  }

  /** How many builds of indexes came to their end. Only to be asked after {@link #kill}. */
  public int builds() {
    return builds;
  }

  /** How many of them went on with what an earlier process had begun. */
  public int resumedBuilds() {
    return resumedBuilds;
  }

  /** What the child found wrong itself. Only to be asked after {@link #kill}. */
  public List<String> complaints() {
    return List.copyOf(complaints);
  }

  /** What the child wrote to its standard error. */
  public String errors() {
    try {
      return Files.readString(errors).strip();
    } catch (IOException unreadable) {
      return unreadable.toString();
    }
  }

  private void listen() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        Message.parse(line).ifPresent(this::accept);
      }
    } catch (IOException closed) {
      complaints.add("The messages of the child cannot be read: " + closed);
    }
  }

  private void accept(Message message) {
    switch (message) {
      case Message.Acknowledged commit -> {
        acknowledged.add(commit);
        told.put(commit.writer(), commit.sequence());
        firstCommit.countDown();
      }
      case Message.Complaint(var text) -> complaints.add(text);
      case Message.Unknown() -> unknown++;
      case Message.Settled(var commits) -> settled = commits;
      case Message.Built(var resumed) -> {
        builds++;
        resumedBuilds += resumed ? 1 : 0;
      }
      case Message.Fact fact -> facts.add(fact);
      case Message.Owned owner -> owned.add(owner);
      case Message.Opened opened -> events.add(opened);
      case Message.Written written -> events.add(written);
      case Message.Serving serving -> events.add(serving);
      case Message.Stopped stopped -> events.add(stopped);
      case Message.Read read -> events.add(read);
      case Message.Resumed resumed -> events.add(resumed);
    }
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atExit);
    destroy();
  }

  private void destroy() {
    // Not by Process itself: that closes the pipe too, and with it what is still to be read.
    process.toHandle().destroyForcibly();
  }
}
