package dev.tidemark.node.internal.tour;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.node.internal.tour.Bank.TransferId;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A process that transfers money until it is killed, and prints a line for every transfer after its
 * commit has returned: from then on the transfer must never be lost.
 */
public final class TransferProcess {
  private static final int THREADS = 4;
  private static final String ACKNOWLEDGED = "acknowledged";

  /** Ends a line, so that a line cut off within its number is not mistaken for another number. */
  private static final String END = "end";

  private TransferProcess() {}

  /** Transfers in the store at the first argument, as the run with the number in the second. */
  public static void main(String[] args) throws Exception {
    run(Path.of(args[0]), Integer.parseInt(args[1]), System.out);
  }

  /** Transfers without end. Ends the JVM when the parent's end of standard input closes. */
  private static void run(Path directory, int run, PrintStream out) throws Exception {
    Thread.ofPlatform().daemon().start(TransferProcess::endWithParent);
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory)) {
      Bank.open(database);
      Together.run(
          THREADS,
          thread -> {
            SplittableRandom random = new SplittableRandom(run * 31L + thread);
            for (long number = 0; ; number++) {
              TransferId id = new TransferId(run, thread, number);
              Bank.transfer(database, random, id);
              out.println(String.join(" ", ACKNOWLEDGED, "" + thread, "" + number, END));
            }
          });
    }
  }

  private static void endWithParent() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException gone) {
      // Same as the end of input: the parent is no longer there.
    }
    Runtime.getRuntime().halt(1);
  }

  /** The transfer that {@code line} acknowledges; nothing if the line was cut off by the kill. */
  static Optional<TransferId> acknowledged(String line, int run) {
    String[] words = line.split(" ", -1);
    if (words.length != 4 || !words[0].equals(ACKNOWLEDGED) || !words[3].equals(END)) {
      return Optional.empty();
    }
    return Optional.of(new TransferId(run, Integer.parseInt(words[1]), Long.parseLong(words[2])));
  }
}
