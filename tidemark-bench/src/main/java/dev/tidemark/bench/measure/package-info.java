/**
 * How anything is measured: contestants that take turns ({@code Race}), threads that all do the
 * same ({@code Crew}), how much of it ({@code Plan}), and what is said and left behind ({@code
 * Report}, {@code Results}). Loads come in as a {@code Contestant}; rates and latencies go out as
 * text and JSON. {@code Profiler} tells in which phase of the work the threads are. Every run uses
 * it, and it knows none of them.
 */
@NullMarked
package dev.tidemark.bench.measure;

import org.jspecify.annotations.NullMarked;
