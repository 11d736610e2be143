package dev.tidemark.records.processor;

import dev.tidemark.records.annotation.Directory;
import dev.tidemark.records.annotation.RecordSchema;

/** Customers and orders in one place. */
@RecordSchema({Customer.class, Order.class})
@Directory({"shops", "{city}"})
interface Shop {}
