package com.example.tutorial;

import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;

@Recordable
record Alert(@PrimaryKey long reading, String meter, long watts) {}
