@NullMarked
package dev.tidemark.records.internal.statistics;

import org.jspecify.annotations.NullMarked;
