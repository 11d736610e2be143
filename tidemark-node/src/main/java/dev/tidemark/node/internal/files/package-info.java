/**
 * Files of the commands. A demo hands over the directory that it made, and nothing of it is left.
 * Only commands call it.
 */
@NullMarked
package dev.tidemark.node.internal.files;

import org.jspecify.annotations.NullMarked;
