package dev.tidemark.records.processor;

import javax.annotation.processing.Messager;
import javax.tools.Diagnostic;

/** Shows mistakes to the compiler, and tells whether there were any. */
final class Problems {
  private final Messager messager;
  private int count;

  Problems(Messager messager) {
    this.messager = messager;
  }

  void report(Mistake mistake) {
    count++;
    String message = String.valueOf(mistake.getMessage());
    if (mistake.annotation() == null) {
      messager.printMessage(Diagnostic.Kind.ERROR, message, mistake.element());
    } else {
      messager.printMessage(
          Diagnostic.Kind.ERROR, message, mistake.element(), mistake.annotation());
    }
  }

  /** Does {@code work}, and reports the mistake that it may throw. */
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
