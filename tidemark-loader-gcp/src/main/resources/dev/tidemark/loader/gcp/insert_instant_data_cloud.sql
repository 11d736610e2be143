CREATE TABLE IF NOT EXISTS `PROJECT.DATASET.instant_data` (
  `point_id` STRING NOT NULL,
  `measured_at` TIMESTAMP NOT NULL,
  `power` INT64 NOT NULL,
  `_published_at` TIMESTAMP NOT NULL,
  `_message_id` STRING NOT NULL
)
PARTITION BY DATE(`measured_at`)
CLUSTER BY `point_id`;

CREATE OR REPLACE PROCEDURE `PROJECT.DATASET.insert_instant_data`(
  batch ARRAY<STRUCT<
    `point_id` STRING,
    `measured_at` INT64,
    `power` INT64,
    `_published_at` INT64,
    `_message_id` STRING>>)
BEGIN
  DECLARE first_moment TIMESTAMP DEFAULT (
    SELECT TIMESTAMP_MICROS(MIN(r.`measured_at`)) FROM UNNEST(batch) AS r);
  DECLARE last_moment TIMESTAMP DEFAULT (
    SELECT TIMESTAMP_MICROS(MAX(r.`measured_at`)) FROM UNNEST(batch) AS r);
  MERGE INTO `PROJECT.DATASET.instant_data` AS t
  USING (
    SELECT
      r.`point_id`,
      TIMESTAMP_MICROS(r.`measured_at`) AS `measured_at`,
      r.`power`,
      TIMESTAMP_MICROS(r.`_published_at`) AS `_published_at`,
      r.`_message_id`
    FROM UNNEST(batch) AS r
    WHERE TRUE
    QUALIFY ROW_NUMBER() OVER (
      PARTITION BY r.`point_id`, r.`measured_at` ORDER BY r.`_published_at` DESC, r.`_message_id` DESC) = 1
  ) AS s
  ON t.`point_id` = s.`point_id` AND t.`measured_at` = s.`measured_at`
    AND t.`measured_at` BETWEEN first_moment AND last_moment
  WHEN MATCHED AND (
    t.`_published_at` IS NULL OR s.`_published_at` > t.`_published_at`
    OR (s.`_published_at` = t.`_published_at` AND s.`_message_id` > t.`_message_id`)) THEN
    UPDATE SET
      `power` = s.`power`,
      `_published_at` = s.`_published_at`,
      `_message_id` = s.`_message_id`
  WHEN NOT MATCHED THEN
    INSERT (`point_id`, `measured_at`, `power`, `_published_at`, `_message_id`)
    VALUES (s.`point_id`, s.`measured_at`, s.`power`, s.`_published_at`, s.`_message_id`);
END;

CREATE TABLE IF NOT EXISTS `PROJECT.DATASET.tidemark_dead_letters` (
  `source` STRING NOT NULL,
  `message_id` STRING NOT NULL,
  `reason` STRING NOT NULL,
  `delivery` STRING NOT NULL,
  `deliveries` INT64 NOT NULL,
  `found_at` TIMESTAMP NOT NULL,
  `attributes` STRING NOT NULL,
  `body` BYTES NOT NULL,
  `_published_at` TIMESTAMP NOT NULL,
  `_message_id` STRING NOT NULL
)
CLUSTER BY `source`, `message_id`;

CREATE OR REPLACE PROCEDURE `PROJECT.DATASET.insert_tidemark_dead_letters`(
  batch ARRAY<STRUCT<
    `source` STRING,
    `message_id` STRING,
    `reason` STRING,
    `delivery` STRING,
    `deliveries` INT64,
    `found_at` INT64,
    `attributes` STRING,
    `body` BYTES,
    `_published_at` INT64,
    `_message_id` STRING>>)
BEGIN
  MERGE INTO `PROJECT.DATASET.tidemark_dead_letters` AS t
  USING (
    SELECT
      r.`source`,
      r.`message_id`,
      r.`reason`,
      r.`delivery`,
      r.`deliveries`,
      TIMESTAMP_MICROS(r.`found_at`) AS `found_at`,
      r.`attributes`,
      r.`body`,
      TIMESTAMP_MICROS(r.`_published_at`) AS `_published_at`,
      r.`_message_id`
    FROM UNNEST(batch) AS r
    WHERE TRUE
    QUALIFY ROW_NUMBER() OVER (
      PARTITION BY r.`source`, r.`message_id` ORDER BY r.`_published_at` DESC, r.`_message_id` DESC) = 1
  ) AS s
  ON t.`source` = s.`source` AND t.`message_id` = s.`message_id`
  WHEN MATCHED AND (
    t.`_published_at` IS NULL OR s.`_published_at` > t.`_published_at`
    OR (s.`_published_at` = t.`_published_at` AND s.`_message_id` > t.`_message_id`)) THEN
    UPDATE SET
      `reason` = s.`reason`,
      `delivery` = s.`delivery`,
      `deliveries` = s.`deliveries`,
      `found_at` = s.`found_at`,
      `attributes` = s.`attributes`,
      `body` = s.`body`,
      `_published_at` = s.`_published_at`,
      `_message_id` = s.`_message_id`
  WHEN NOT MATCHED THEN
    INSERT (`source`, `message_id`, `reason`, `delivery`, `deliveries`, `found_at`, `attributes`, `body`, `_published_at`, `_message_id`)
    VALUES (s.`source`, s.`message_id`, s.`reason`, s.`delivery`, s.`deliveries`, s.`found_at`, s.`attributes`, s.`body`, s.`_published_at`, s.`_message_id`);
END;
