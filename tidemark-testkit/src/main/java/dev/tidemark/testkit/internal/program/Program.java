package dev.tidemark.testkit.internal.program;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What one transaction does.
 *
 * @param steps its calls, in order
 * @param commits whether it is committed in the end, rather than given up
 */
public record Program(List<Step> steps, boolean commits) {
  public boolean reads() {
    return steps.stream().anyMatch(ReadStep.class::isInstance);
  }

  /** Its writes alone, excluded from the write conflicts. */
  public Program quietWrites() {
    List<Step> quiet = new ArrayList<>();
    for (Step step : steps) {
      if (step instanceof WriteStep write) {
        quiet.add(new WriteStep.Quiet(write));
      }
    }
    return new Program(quiet, commits);
  }

  @Override
  public String toString() {
    return steps.stream().map(step -> "  " + step + "\n").collect(Collectors.joining())
        + (commits ? "  commit\n" : "  close\n");
  }

  public static String print(List<Program> programs) {
    return programs.stream()
        .map(program -> "transaction\n" + program)
        .collect(Collectors.joining());
  }
}
