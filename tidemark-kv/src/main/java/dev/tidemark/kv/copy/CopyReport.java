package dev.tidemark.kv.copy;

/**
 * What a copy came to. Both stores have the same rows.
 *
 * @param rows rows that both have
 * @param bytes their bytes, keys and values
 * @param rowsCopied rows that this run copied: fewer than {@code rows} where an earlier run had
 *     begun
 * @param sourceVersion a version of the source that all its commits had come to
 */
public record CopyReport(long rows, long bytes, long rowsCopied, long sourceVersion) {}
