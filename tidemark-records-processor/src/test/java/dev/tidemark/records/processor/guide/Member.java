package dev.tidemark.records.processor.guide;

import dev.tidemark.records.Attribute;
import dev.tidemark.records.FieldOrder;
import dev.tidemark.records.PrimaryKey;
import dev.tidemark.records.Recordable;
import dev.tidemark.records.Reserved;
import org.jspecify.annotations.Nullable;

@Recordable
@Reserved(4)
@FieldOrder({"id", "family", "given", "phone"})
record Member(
    @PrimaryKey long id,
    @Attribute(name = "firstName") String given,
    String family,
    @Attribute(number = 9) @Nullable String phone) {}
