package dev.tidemark.records.processor.guide;

import dev.tidemark.records.annotation.Attribute;
import dev.tidemark.records.annotation.FieldOrder;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.annotation.Reserved;
import org.jspecify.annotations.Nullable;

@Recordable
@Reserved(4)
@FieldOrder({"id", "family", "given", "phone"})
record Member(
    @PrimaryKey long id,
    @Attribute(name = "firstName") String given,
    String family,
    @Attribute(number = 9) @Nullable String phone) {}
