package dev.tidemark.bench.demo;

import dev.tidemark.bench.measure.Memory;
import java.time.Duration;
import java.util.stream.Stream;

/** What a process and those that it has started take, looked at now and then while it runs. */
final class ProcessCosts implements AutoCloseable {
  private static final long EVERY_MILLIS = 100;

  private final ProcessHandle process;
  private final Thread sampler;
  private volatile boolean closed;
  private volatile long peakResident;
  private volatile Duration cpu = Duration.ZERO;

  ProcessCosts(ProcessHandle process) {
    this.process = process;
    this.sampler = Thread.ofPlatform().daemon().name("process-costs").start(this::run);
  }

  private void run() {
    try {
      while (!closed) {
        long resident =
            Stream.concat(Stream.of(process), process.descendants())
                .mapToLong(each -> Memory.residentOf(each.pid()))
                .sum();
        peakResident = Math.max(peakResident, resident);
        cpu = process.info().totalCpuDuration().orElse(cpu);
        Thread.sleep(EVERY_MILLIS);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** The most memory in RAM, of all of them together, in bytes. */
  long peakResident() {
    return peakResident;
  }

  /** The CPU time of the process itself so far. */
  Duration cpu() {
    return cpu;
  }

  @Override
  public void close() {
    closed = true;
    sampler.interrupt();
  }
}
