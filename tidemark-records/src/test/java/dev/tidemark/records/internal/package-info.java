@NullMarked
package dev.tidemark.records.internal;

import org.jspecify.annotations.NullMarked;
