@NullMarked
package dev.tidemark.changes.internal.partition;

import org.jspecify.annotations.NullMarked;
