package dev.tidemark.records.processor;

import java.util.Set;
import javax.annotation.processing.Messager;
import javax.tools.Diagnostic;

/** Reports mistakes to the compiler, each once, and counts them. */
final class Problems {
  private final Messager messager;
  private final Set<String> shown;
  private int count;

  /**
   * Creates an empty report.
   *
   * @param shown the messages that were reported before; a type is read again for each of its
   *     schemas
   */
  Problems(Messager messager, Set<String> shown) {
    this.messager = messager;
    this.shown = shown;
  }

  void report(Mistake mistake) {
    count++;
    String message = String.valueOf(mistake.getMessage());
    String place = mistake.element().getEnclosingElement() + "." + mistake.element();
    if (!shown.add(place + ": " + message)) {
      return;
    }
    if (mistake.annotation() == null) {
      messager.printMessage(Diagnostic.Kind.ERROR, message, mistake.element());
    } else {
      messager.printMessage(
          Diagnostic.Kind.ERROR, message, mistake.element(), mistake.annotation());
    }
  }

  /** Runs {@code work}, and reports the mistake that it may throw. */
  void collect(Runnable work) {
    try {
      work.run();
    } catch (Mistake mistake) {
      report(mistake);
    }
  }

  int count() {
    return count;
  }
}
