package dev.tidemark.bench.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The numbers of a run's last line, in its order. */
public final class Results {
  private final String bench;
  private final Report report;
  private final Map<String, Object> numbers = new LinkedHashMap<>();

  /** The results of a run of {@code bench}; notes on which machine and with which plan it is. */
  public Results(String bench, Plan plan, Report report) {
    this.bench = bench;
    this.report = report;
    report.put("bench", bench);
    report.put("commit", Report.commit());
    report.put("jdk", Runtime.version().toString());
    report.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    report.put("cores", Runtime.getRuntime().availableProcessors());
    report.put("heap_max_mib", Runtime.getRuntime().maxMemory() >> 20);
    report.put("durability", "every commit synced to disk before it is acknowledged");
    report.put("plan", plan.toString());
  }

  /** Fixes the order of the last line, whatever is measured first. */
  public void order(String... names) {
    for (String name : names) {
      numbers.put(name, "");
    }
  }

  public void ratio(String name, double ratio) {
    numbers.put(name, Math.round(ratio * 100) / 100.0);
  }

  public void put(String name, Object value) {
    numbers.put(name, value);
  }

  /** Writes everything that the report holds, and says the last line. */
  public void write(Path json) throws IOException {
    report.put("results", numbers);
    report.write(json);
    report.say("all numbers are in target/bench/" + json.getFileName());
    StringBuilder line = new StringBuilder("bench " + bench + ":");
    numbers.forEach((name, value) -> line.append(' ').append(name).append('=').append(value));
    report.say(line.toString());
  }
}
