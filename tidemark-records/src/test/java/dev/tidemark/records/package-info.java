@NullMarked
package dev.tidemark.records;

import org.jspecify.annotations.NullMarked;
