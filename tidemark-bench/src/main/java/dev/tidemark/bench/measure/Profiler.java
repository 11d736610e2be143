package dev.tidemark.bench.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/**
 * A load under the JVM's own profiler: in which phase of its work is a thread when it is looked at?
 *
 * <p>Threads in native code are sampled too, whether they compute there or wait for the disk; so
 * the phase that writes contains the wait for the sync.
 */
public final class Profiler {
  private static final int FRAMES_SHOWN = 8;
  private static final Duration PERIOD = Duration.ofMillis(10);

  private final Report report;

  public Profiler(Report report) {
    this.report = report;
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

  /** Runs {@code load}, with a recording in {@code file}, and prints what it shows. */
  public void profile(Path file, Contestant.Operation load) throws Exception {
    try (Recording recording = new Recording()) {
      recording.enable("jdk.ExecutionSample").withPeriod(PERIOD);
      recording.enable("jdk.NativeMethodSample").withPeriod(PERIOD);
      recording.start();
      load.run();
      recording.stop();
      recording.dump(file);
    }
    print(samples(file));
  }

  private static Map<Phase, Samples> samples(Path file) throws IOException {
    Map<Phase, Samples> phases = new TreeMap<>();
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        RecordedStackTrace trace = event.getStackTrace();
        if (trace != null && !trace.getFrames().isEmpty()) {
          List<String> frames = trace.getFrames().stream().map(Profiler::name).toList();
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
