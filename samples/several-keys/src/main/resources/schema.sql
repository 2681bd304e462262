CREATE TABLE account (
    id VARCHAR(36) PRIMARY KEY,
    cents BIGINT NOT NULL,
    fencing_token BIGINT DEFAULT 0 NOT NULL
);
INSERT INTO account (id, cents) VALUES ('anna', 1000), ('ben', 1000);
