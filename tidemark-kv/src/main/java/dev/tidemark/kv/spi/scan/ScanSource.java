package dev.tidemark.kv.spi.scan;

/** Where a scan gets its portions: one transaction of one engine. */
@FunctionalInterface
public interface ScanSource {
  /** Reads the next portion. */
  ScanPortion fetch(ScanRequest request);
}
