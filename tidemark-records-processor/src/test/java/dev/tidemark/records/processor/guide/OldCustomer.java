package dev.tidemark.records.processor.guide;

import dev.tidemark.records.Directory;
import dev.tidemark.records.Index;
import dev.tidemark.records.PrimaryKey;
import dev.tidemark.records.Recordable;

/** {@link Customer} as the first version of the program declared it. */
@Recordable(name = "Customer")
@Directory({"shop", "customers"})
@Index(name = "customer_by_name", fields = "name")
@Index(name = "customer_by_city", fields = "city")
record OldCustomer(@PrimaryKey long id, String name, String city) {}
