/**
 * Our store as FoundationDB's Java client. Calls of Apple's interfaces come in through {@code
 * FacadeDatabase} and {@code FacadeTransaction}, become calls of {@link dev.tidemark.kv}, and their
 * results go out as futures. {@code FdbClass} supplies Apple's class {@code FDB} where the native
 * library is missing. Only {@link dev.tidemark.foundationdb.FdbFacade} calls this package.
 */
@NullMarked
package dev.tidemark.foundationdb.internal.facade;

import org.jspecify.annotations.NullMarked;
