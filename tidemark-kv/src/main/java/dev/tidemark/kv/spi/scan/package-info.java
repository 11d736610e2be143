/**
 * Scans in portions, as an engine delivers them. A {@code ScanRequest} says which rows are wanted
 * and in which direction; a {@code ScanSource} answers with a {@code ScanPortion}, and {@code
 * SourceScan} makes the program's scan of such portions. Selectors come in and rows go out. The
 * rest of {@code kv.spi}, engines and the wire may use it. It is not API.
 */
@NullMarked
package dev.tidemark.kv.spi.scan;

import org.jspecify.annotations.NullMarked;
