/** Tests of the whole repository: what may use what, and whether the documents tell the truth. */
@NullMarked
package dev.tidemark.architecture;

import org.jspecify.annotations.NullMarked;
