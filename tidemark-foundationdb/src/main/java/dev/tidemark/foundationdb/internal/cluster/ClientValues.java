package dev.tidemark.foundationdb.internal.cluster;

import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ScanMode;

/** Our values as those of FoundationDB's client, which mostly have the same names. */
final class ClientValues {
  private ClientValues() {}

  static com.apple.foundationdb.KeySelector of(KeySelector selector) {
    return new com.apple.foundationdb.KeySelector(
        selector.key().unsafeBytes(), selector.orEqual(), selector.offset());
  }

  static com.apple.foundationdb.StreamingMode of(ScanMode mode) {
    return switch (mode) {
      case ITERATOR -> com.apple.foundationdb.StreamingMode.ITERATOR;
      case EXACT -> com.apple.foundationdb.StreamingMode.EXACT;
      case SMALL -> com.apple.foundationdb.StreamingMode.SMALL;
      case MEDIUM -> com.apple.foundationdb.StreamingMode.MEDIUM;
      case LARGE -> com.apple.foundationdb.StreamingMode.LARGE;
      case SERIAL -> com.apple.foundationdb.StreamingMode.SERIAL;
      case WANT_ALL -> com.apple.foundationdb.StreamingMode.WANT_ALL;
    };
  }

  static com.apple.foundationdb.MutationType of(MutationType type) {
    return switch (type) {
      case ADD -> com.apple.foundationdb.MutationType.ADD;
      case BIT_AND -> com.apple.foundationdb.MutationType.BIT_AND;
      case BIT_OR -> com.apple.foundationdb.MutationType.BIT_OR;
      case BIT_XOR -> com.apple.foundationdb.MutationType.BIT_XOR;
      case APPEND_IF_FITS -> com.apple.foundationdb.MutationType.APPEND_IF_FITS;
      case MAX -> com.apple.foundationdb.MutationType.MAX;
      case MIN -> com.apple.foundationdb.MutationType.MIN;
      case BYTE_MAX -> com.apple.foundationdb.MutationType.BYTE_MAX;
      case BYTE_MIN -> com.apple.foundationdb.MutationType.BYTE_MIN;
      case COMPARE_AND_CLEAR -> com.apple.foundationdb.MutationType.COMPARE_AND_CLEAR;
      case SET_VERSIONSTAMPED_KEY -> com.apple.foundationdb.MutationType.SET_VERSIONSTAMPED_KEY;
      case SET_VERSIONSTAMPED_VALUE -> com.apple.foundationdb.MutationType.SET_VERSIONSTAMPED_VALUE;
    };
  }
}
