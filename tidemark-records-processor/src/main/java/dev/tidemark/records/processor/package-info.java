/** Writes codecs, fields and stores of annotated records at compile time. */
@NullMarked
package dev.tidemark.records.processor;

import org.jspecify.annotations.NullMarked;
