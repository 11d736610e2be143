/**
 * {@code bench demo}: how many readings a second go through every layer, and what the process takes
 * for it in memory, processor time and jars. The demo runs as a user starts it. Only the command
 * calls it.
 */
@NullMarked
package dev.tidemark.bench.demo;

import org.jspecify.annotations.NullMarked;
