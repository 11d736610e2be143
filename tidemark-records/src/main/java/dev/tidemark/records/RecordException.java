package dev.tidemark.records;

import dev.tidemark.kv.TidemarkException;
import org.jspecify.annotations.Nullable;

/** The root of what a record store refuses. The call that threw it has written nothing. */
public abstract sealed class RecordException extends TidemarkException
    permits DamagedRecordException,
        IndexStateException,
        MigrationBusyException,
        RecordExistsException,
        RecordMissingException,
        RecordTooLargeException,
        RelationshipException,
        SchemaException,
        TooManyRecordsException,
        UniquenessException,
        UnfitRecordsException {
  RecordException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
