package dev.tidemark.kv.spi.scan;

import dev.tidemark.kv.KeySelector;

/**
 * One portion of a scan, as asked of an engine.
 *
 * @param begin the first row is not before this position
 * @param end the rows are before this position
 * @param rows most rows wanted
 * @param bytes stop after the row with which this many bytes of keys and values are reached
 * @param reverse whether rows are wanted in descending order, from {@code end} on
 */
public record ScanRequest(
    KeySelector begin, KeySelector end, int rows, int bytes, boolean reverse) {}
