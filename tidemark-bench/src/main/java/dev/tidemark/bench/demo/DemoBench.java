package dev.tidemark.bench.demo;

import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Results;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The run {@code bench demo}.
 *
 * <p>Its question: how many readings a second go through every layer, and what does a newcomer pay
 * in memory, in jars, and in waiting for the command? The demo runs as a user runs it, through the
 * launcher, with a heap of {@value #HEAP}.
 */
public final class DemoBench {
  private static final String HEAP = "-Xmx512m";
  private static final int RATE_MAX = 100_000;
  private static final int STARTS = 5;
  private static final int PATIENCE_MINUTES = 5;
  private static final Pattern THROUGHPUT =
      Pattern.compile("([\\d,]+) readings are in every layer: ([\\d,]+) a second");

  private final Plan plan;
  private final Report report;
  private final Results results;
  private final Path root;

  public DemoBench(Plan plan, Report report) {
    this.plan = plan;
    this.report = report;
    this.root = Report.root();
    this.results = new Results("demo", plan, report);
    results.order("readings_per_s", "rss_mb", "jars", "mb", "start_ms");
  }

  public void run(Path json) throws Exception {
    report.part("the demo, as fast as its layers follow");
    demo();
    report.part("what kv, embedded and records bring with them");
    Footprint footprint =
        Footprint.of(root, "tidemark-kv", "tidemark-embedded", "tidemark-records");
    footprint.lines().forEach(report::say);
    results.put("jars", footprint.jars());
    results.put("mb", Math.round(footprint.bytes() / 1e6));
    report.part("a command that only says what it takes");
    results.put("start_ms", start());
    results.write(json);
  }

  private void demo() throws IOException, InterruptedException {
    int seconds = plan.equals(Plan.FULL) ? 40 : 10;
    ProcessBuilder builder =
        new ProcessBuilder(
            root.resolve("tidemark").toString(),
            "demo",
            "--headless",
            "--seconds",
            Integer.toString(seconds),
            "--rate",
            Integer.toString(RATE_MAX));
    builder.environment().put("TIDEMARK_JAVA_OPTS", HEAP);
    Process process = builder.redirectErrorStream(true).start();
    try (ProcessCosts costs = new ProcessCosts(process.toHandle());
        BufferedReader lines = process.inputReader()) {
      long readings = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        report.say("  | " + line);
        Matcher found = THROUGHPUT.matcher(line);
        if (found.find()) {
          readings = number(found.group(1));
          results.put("readings_per_s", number(found.group(2)));
          report.put("cpu_us_per_reading", costs.cpu().toNanos() / 1_000.0 / readings);
          report.say(
              String.format(
                  Locale.ROOT,
                  "  %.0f µs of CPU a reading in the demo's process, worker process apart",
                  costs.cpu().toNanos() / 1_000.0 / readings));
        }
      }
      if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)
          || process.exitValue() != 0
          || readings == 0) {
        throw new IllegalStateException("The demo failed; what it said is above");
      }
      results.put("rss_mb", costs.peakResident() >> 20);
    } finally {
      process.destroy();
    }
  }

  private static long number(String text) {
    return Long.parseLong(text.replace(",", ""));
  }

  /** The median time of a command from its call to its end, in milliseconds. */
  private long start() throws IOException, InterruptedException {
    long[] millis = new long[STARTS];
    for (int i = 0; i < STARTS; i++) {
      long begin = System.nanoTime();
      Process process =
          new ProcessBuilder(root.resolve("tidemark").toString(), "records", "--help")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      boolean ended = process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES);
      millis[i] = (System.nanoTime() - begin) / 1_000_000;
      if (!ended || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IllegalStateException("./tidemark records --help failed");
      }
    }
    Arrays.sort(millis);
    return millis[STARTS / 2];
  }
}
