package dev.tidemark.node.internal.meters.output;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What an audit has found.
 *
 * @param published readings that were published
 * @param records readings that are stored
 * @param changes changes in the change stream
 * @param warehouse rows in the warehouse
 * @param lost published and not stored
 * @param duplicated stored and never published, or with another value
 * @param checks what was compared
 */
public record AuditReport(
    long published,
    long records,
    long changes,
    long warehouse,
    long lost,
    long duplicated,
    List<Check> checks) {
  /** Defends the list. */
  public AuditReport {
    checks = List.copyOf(checks);
  }

  /** Whether everything agrees. */
  public boolean holds() {
    return checks.stream().allMatch(Check::holds);
  }

  /** All numbers in one line, which programs can read. */
  public String line() {
    return String.format(
        Locale.ROOT,
        "demo: readings=%d records=%d changes=%d warehouse=%d lost=%d duplicated=%d",
        published,
        records,
        changes,
        warehouse,
        lost,
        duplicated);
  }

  /** A sentence that should be true, and what speaks against it. */
  public static final class Check {
    private static final int FINDINGS_MAX = 5;

    private final String sentence;
    private final List<String> findings = new ArrayList<>();
    private int more;

    /** Nothing speaks against {@code sentence} yet. */
    public Check(String sentence) {
      this.sentence = sentence;
    }

    /** Notes {@code finding} unless {@code holds}. */
    public void require(boolean holds, String finding) {
      if (!holds && findings.size() < FINDINGS_MAX) {
        findings.add(finding);
      } else if (!holds) {
        more++;
      }
    }

    /** Notes two numbers that differ. */
    public void compare(String what, long wanted, long found) {
      require(
          wanted == found,
          String.format(Locale.ROOT, "%s: %,d expected, %,d found", what, wanted, found));
    }

    /** Compares by meter, where {@code nothing} is that of a meter without any. */
    public <T> void compareAll(Map<Long, T> wanted, Map<Long, T> found, T nothing) {
      Set<Long> meters = new TreeSet<>(wanted.keySet());
      meters.addAll(found.keySet());
      for (long meter : meters) {
        T here = wanted.getOrDefault(meter, nothing);
        T there = found.getOrDefault(meter, nothing);
        require(
            here.equals(there), "meter %d: %s expected, %s found".formatted(meter, here, there));
      }
    }

    String sentence() {
      return sentence;
    }

    /** Whether nothing speaks against it. */
    public boolean holds() {
      return findings.isEmpty();
    }

    /** The sentence, and below it what speaks against it. */
    public List<String> lines() {
      List<String> lines = new ArrayList<>();
      lines.add((holds() ? "ok    " : "FAIL  ") + sentence);
      findings.forEach(finding -> lines.add("        " + finding));
      if (more > 0) {
        lines.add("        and %,d more".formatted(more));
      }
      return lines;
    }
  }
}
