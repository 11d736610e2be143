package dev.tidemark.kv.spi.scan;

import dev.tidemark.kv.KeyValue;
import java.util.List;

/**
 * The rows of a portion.
 *
 * @param rows in the order asked for
 * @param more whether there may be rows after them; false where there are no rows
 */
public record ScanPortion(List<KeyValue> rows, boolean more) {}
