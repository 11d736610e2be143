package dev.tidemark.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/**
 * A mixed load under the JVM's own profiler: in which phase of a transaction is a thread when it is
 * looked at?
 *
 * <p>Threads in native code are sampled too, whether they compute there or wait for the disk; so
 * the phase that writes contains the wait for the sync.
 */
final class EngineProfile {
  private static final int WRITERS = 64;
  private static final int READERS = 1;
  private static final int READS = 5;
  private static final int SCAN_ROWS = 100;
  private static final int FRAMES_SHOWN = 8;
  private static final Duration PERIOD = Duration.ofMillis(10);

  private final Plan plan;
  private final Report report;
  private final Dataset dataset;

  EngineProfile(Plan plan, Report report) {
    this.plan = plan;
    this.report = report;
    this.dataset = new Dataset(plan.keys());
  }

  /** Samples of one phase, by frame. */
  private static final class Samples {
    private final Map<String, Integer> frames = new TreeMap<>();
    private int count;

    void add(String frame) {
      frames.merge(frame, 1, Integer::sum);
      count++;
    }
  }

  void run() throws Exception {
    try (Scratch scratch = new Scratch();
        Engine engine = new Engine(scratch.path("engine"))) {
      report.part("loading %,d rows".formatted(plan.keys()));
      engine.load(dataset);
      report.part("warming up");
      mixed(engine, plan.warmUp());
      report.part("recording a mixed load");
      Path file = scratch.path("profile.jfr");
      try (Recording recording = new Recording()) {
        recording.enable("jdk.ExecutionSample").withPeriod(PERIOD);
        recording.enable("jdk.NativeMethodSample").withPeriod(PERIOD);
        recording.start();
        mixed(engine, plan.hold());
        recording.stop();
        recording.dump(file);
      }
      print(samples(file));
    }
  }

  private void mixed(Engine engine, Duration time) throws Exception {
    long deadline = System.nanoTime() + time.toNanos();
    Thread readers =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    // On virtual threads readers that never wait would starve the writers.
                    Crew.platform(READERS, random -> scan(engine, random)).run(deadline);
                  } catch (Exception failure) {
                    throw new IllegalStateException("The readers failed", failure);
                  }
                });
    long commits = Crew.virtual(WRITERS, random -> readAndWrite(engine, random)).run(deadline);
    readers.join();
    report.say(
        "  %,.0f commits a second of %d reads and %d writes"
            .formatted(commits * 1e9 / time.toNanos(), READS, Batch.WRITES));
  }

  private void scan(Engine engine, SplittableRandom random) {
    engine.scan(dataset.randomStart(random, SCAN_ROWS), SCAN_ROWS);
  }

  private void readAndWrite(Engine engine, SplittableRandom random) {
    engine.readAndCommit(dataset, random, READS);
  }

  private static Map<Phase, Samples> samples(Path file) throws IOException {
    Map<Phase, Samples> phases = new TreeMap<>();
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        RecordedStackTrace trace = event.getStackTrace();
        if (trace != null && !trace.getFrames().isEmpty()) {
          List<String> frames = trace.getFrames().stream().map(EngineProfile::name).toList();
          Phase phase = Phase.of(frames);
          phases.computeIfAbsent(phase, unused -> new Samples()).add(phase.telling(frames));
        }
      }
    }
    return phases;
  }

  private void print(Map<Phase, Samples> phases) {
    double all = phases.values().stream().mapToInt(samples -> samples.count).sum();
    phases.entrySet().stream()
        .sorted(Comparator.comparingInt(entry -> -entry.getValue().count))
        .forEach(
            entry -> {
              Samples samples = entry.getValue();
              report.say(
                  "%5.1f %%  %s"
                      .formatted(100 * samples.count / all, entry.getKey().description()));
              samples.frames.entrySet().stream()
                  .sorted(Comparator.comparingInt(frame -> -frame.getValue()))
                  .limit(FRAMES_SHOWN)
                  .forEach(
                      frame ->
                          report.say(
                              "        %5.1f %%  %s"
                                  .formatted(100 * frame.getValue() / all, frame.getKey())));
            });
  }

  private static String name(RecordedFrame frame) {
    String type = frame.getMethod().getType().getName();
    return type + "." + frame.getMethod().getName();
  }
}
