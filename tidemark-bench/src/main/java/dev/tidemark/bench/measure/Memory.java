package dev.tidemark.bench.measure;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The most memory that the process took while this was open. */
public final class Memory implements AutoCloseable {
  private static final long EVERY_MILLIS = 20;
  private static final long MIB = 1 << 20;

  private final Thread sampler;
  private volatile boolean closed;
  private volatile long heap;
  private volatile long resident;

  public Memory() {
    sampler = Thread.ofPlatform().daemon().name("memory").start(this::run);
  }

  private void run() {
    while (!closed) {
      heap = Math.max(heap, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
      resident = Math.max(resident, residentNow());
      try {
        Thread.sleep(EVERY_MILLIS);
      } catch (InterruptedException interrupt) {
        return;
      }
    }
  }

  /** Peaks in MiB: the Java heap, and all memory of the process that is in RAM. */
  public Map<String, Object> peaks() {
    Map<String, Object> peaks = new LinkedHashMap<>();
    peaks.put("heap_mib", heap / MIB);
    peaks.put("resident_mib", resident / MIB);
    return peaks;
  }

  /** Heap in MiB that is in use after a collection. */
  public static long liveHeap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MIB;
  }

  /** The most memory of the process in RAM so far, in MiB, as the kernel counted it. */
  public static long peakResident() {
    return status("VmHWM:") / MIB;
  }

  private static long residentNow() {
    return status("VmRSS:");
  }

  /** The memory of process {@code pid} in RAM, in bytes; 0 if it has ended. */
  public static long residentOf(long pid) {
    return status(Long.toString(pid), "VmRSS:");
  }

  private static long status(String field) {
    return status("self", field);
  }

  private static long status(String process, String field) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc", process, "status"))) {
        if (line.startsWith(field)) {
          return Long.parseLong(line.replaceAll("\\D", "")) * 1_024;
        }
      }
    } catch (IOException goneOrNotLinux) {
      return 0;
    }
    return 0;
  }

  @Override
  public void close() {
    closed = true;
    try {
      sampler.join();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }
}
