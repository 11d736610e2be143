/**
 * What every part of one member of a pool shares. {@code PoolCore} holds the backend, the rows and
 * the options; {@code NodeLife} is one membership with its lease, and {@code Attendance} keeps it;
 * {@code JobReports} gathers what workers tell the store and writes it in few steps. Clients,
 * workers, tickers and nodes use it; it uses the rows and the backend.
 */
@NullMarked
package dev.tidemark.pulse.internal.pool.member;

import org.jspecify.annotations.NullMarked;
