package dev.tidemark.records.processor;

import dev.tidemark.records.Directory;
import dev.tidemark.records.RecordSchema;

/** Customers and orders in one place. */
@RecordSchema({Customer.class, Order.class})
@Directory({"shops", "{city}"})
interface Shop {}
