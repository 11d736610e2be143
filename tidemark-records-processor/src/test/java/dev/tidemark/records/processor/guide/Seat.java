package dev.tidemark.records.processor.guide;

import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import java.time.LocalDate;
import java.util.Optional;

@Recordable
record Seat(
    Optional<String> guest,
    @PrimaryKey(order = 2) int number,
    @PrimaryKey(order = 1) LocalDate show) {}
