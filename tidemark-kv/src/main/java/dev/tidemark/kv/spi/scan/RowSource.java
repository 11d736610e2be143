package dev.tidemark.kv.spi.scan;

import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ScanMode;
import java.util.Iterator;

/** Where a scan gets its rows if the source decides about portions itself, as a client does. */
@FunctionalInterface
public interface RowSource {
  /** The rows of one iteration; {@code limit} is zero for all. Nothing is read before they are. */
  Iterator<KeyValue> rows(
      KeySelector begin, KeySelector end, int limit, boolean reverse, ScanMode mode);
}
