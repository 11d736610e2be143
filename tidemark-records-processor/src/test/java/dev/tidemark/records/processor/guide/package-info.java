/** The records of docs/records.md. */
@NullMarked
package dev.tidemark.records.processor.guide;

import org.jspecify.annotations.NullMarked;
