/** The examples of docs/changes.md, which are run as tests. */
@NullMarked
package dev.tidemark.changes.guide;

import org.jspecify.annotations.NullMarked;
