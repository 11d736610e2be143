package dev.tidemark;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What programs print. */
public final class Printed {
  private Printed() {}

  /** Runs {@code program} and returns what it has printed meanwhile. */
  public static <X extends Exception> String by(Program<X> program) throws X {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      program.run();
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** A program, or a call of its main method. */
  @FunctionalInterface
  public interface Program<X extends Exception> {
    /** Runs to the end. */
    void run() throws X;
  }
}
