/**
 * Streams, readers and sinks for the user, over the {@code StreamStore} of any backend. Calls of
 * the program come in; batches of events go out to its handlers, and acknowledgements go back to
 * the store. Threads that fetch, bounded buffers between them and the gathering of acknowledgements
 * are all here. {@code BackendPulse} opens streams; a stream opens its readers and sinks.
 */
@NullMarked
package dev.tidemark.pulse.internal.stream;

import org.jspecify.annotations.NullMarked;
