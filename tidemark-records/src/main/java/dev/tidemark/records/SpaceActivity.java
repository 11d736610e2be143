package dev.tidemark.records;

/**
 * What was done through one {@link RecordSpace} object since it was opened, by all of its stores
 * and threads. The numbers live in memory: each object that has the same place open counts its own,
 * and a reopened one begins at zero. To ask for them reads nothing from the database.
 *
 * <p>Except for {@code indexed}, work is counted when it is done in a transaction, committed or
 * not: what a transaction did that failed, or whose body ran again after a conflict, is counted
 * each time.
 *
 * @param saved records that were written: by save, insert and update, by bulk updates and
 *     migrations, and those that lost a reference to a deleted record
 * @param deleted records that were deleted one by one: by key, by queries, with a record that they
 *     refer to, and because they had expired. A delete that clears a range without reading it does
 *     not know how many there were, and counts none
 * @param swept those of {@code deleted} that a sweep chose because they had expired, by {@link
 *     dev.tidemark.records.maintenance.Upkeep} of this object or {@link RecordStore#sweep}
 * @param loaded records that load, loadAll and exists found by primary key
 * @param queries queries of one type that were begun: by programs, by SQL, by explains that run
 *     them, and those that joins and groups are made of. A query that goes on from a continuation
 *     does not count again
 * @param plansCached look-ups in the cache of plans that found the shape of the query. There is at
 *     least one for each query, explain and continuation; groups that aggregate indexes have need
 *     no plan
 * @param plansMade look-ups that did not, so that plans were made
 * @param changesCaptured rows for change streams: a change that two streams watch has two. Where
 *     several objects of one place change records in one transaction, the first counts them all
 * @param indexed records that online builds through this object added to the indexes that they
 *     build, in batches that were committed; records without an entry do not count, and neither do
 *     the builds within an opening
 */
public record SpaceActivity(
    long saved,
    long deleted,
    long swept,
    long loaded,
    long queries,
    long plansCached,
    long plansMade,
    long changesCaptured,
    long indexed) {}
