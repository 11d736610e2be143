@NullMarked
package dev.tidemark.records.processor;

import org.jspecify.annotations.NullMarked;
