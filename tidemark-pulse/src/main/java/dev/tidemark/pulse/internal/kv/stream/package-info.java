/**
 * Streams and their groups on Tidemark's store, each step one transaction. It adds and scans
 * events, claims them for consumers, acknowledges them, takes over claims whose time has passed,
 * and trims what is no longer shown. The backend beside it opens a stream; callers see it as a
 * {@code StreamStore}.
 */
@NullMarked
package dev.tidemark.pulse.internal.kv.stream;

import org.jspecify.annotations.NullMarked;
