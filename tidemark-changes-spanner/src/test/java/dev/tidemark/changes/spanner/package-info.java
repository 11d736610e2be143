@NullMarked
package dev.tidemark.changes.spanner;

import org.jspecify.annotations.NullMarked;
