@NullMarked
package dev.tidemark.records.internal.query;

import org.jspecify.annotations.NullMarked;
