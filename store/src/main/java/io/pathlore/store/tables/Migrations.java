package io.pathlore.store.tables;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * How tables came to be what they are: step by step, each from one version to the next. A step that was released is never
 * changed, for it says what lies on somebody's disk; {@link Table} says what the steps together come to.
 */
final class Migrations {
    private static final String VERSION_1 = """
            CREATE TABLE hops_1s (time TIMESTAMP_NS, node BIGINT, interface BIGINT, queue BIGINT, reports BIGINT,
                latency_min BIGINT, latency_p50 BIGINT, latency_p99 BIGINT, latency_max BIGINT, latency_histogram BLOB,
                occupancy_max BIGINT, utilization_max BIGINT, drops BIGINT, completeness DOUBLE);
            CREATE TABLE hops_1m (time TIMESTAMP_NS, node BIGINT, interface BIGINT, queue BIGINT, reports BIGINT,
                latency_min BIGINT, latency_p50 BIGINT, latency_p99 BIGINT, latency_max BIGINT, latency_histogram BLOB,
                occupancy_max BIGINT, utilization_max BIGINT, drops BIGINT, completeness DOUBLE);
            CREATE TABLE flows_1m (time TIMESTAMP_NS, flow_id VARCHAR, source VARCHAR, source_number UHUGEINT,
                destination VARCHAR, destination_number UHUGEINT, protocol BIGINT, source_port BIGINT,
                destination_port BIGINT, icmp_type BIGINT, icmp_code BIGINT, vni BIGINT, reports BIGINT, packets BIGINT,
                path_id VARCHAR, latency_p50 BIGINT, latency_p99 BIGINT, drops BIGINT);
            CREATE TABLE paths (path_id VARCHAR, nodes BIGINT[], complete BOOLEAN, last_seen TIMESTAMP_NS);
            CREATE TABLE links_1m (time TIMESTAMP_NS, from_node BIGINT, from_interface BIGINT, to_node BIGINT,
                to_interface BIGINT, reports BIGINT, latency BIGINT, latency_error BIGINT);
            CREATE TABLE drops_1s (time TIMESTAMP_NS, node BIGINT, interface BIGINT, queue BIGINT, reason BIGINT,
                reports BIGINT, packets BIGINT);
            CREATE TABLE episodes (id VARCHAR, node BIGINT, interface BIGINT, queue BIGINT, start TIMESTAMP_NS,
                "end" TIMESTAMP_NS, peak_occupancy BIGINT, completeness DOUBLE, packets BIGINT, json VARCHAR);
            CREATE TABLE events (kind VARCHAR, id VARCHAR, start TIMESTAMP_NS, "end" TIMESTAMP_NS,
                detected_at TIMESTAMP_NS, severity VARCHAR, completeness DOUBLE, node BIGINT, interface BIGINT,
                queue BIGINT, flow_id VARCHAR, json VARCHAR);
            CREATE TABLE exporters_1m (time TIMESTAMP_NS, exporter VARCHAR, exporter_number UHUGEINT, datagrams BIGINT,
                bytes BIGINT, undecodable BIGINT, reports BIGINT, rejected_reports BIGINT, duplicates BIGINT,
                lost BIGINT, completeness DOUBLE);
            CREATE TABLE nodes (node BIGINT, name VARCHAR, exporter VARCHAR, exporter_number UHUGEINT, version VARCHAR,
                first_seen TIMESTAMP_NS, last_seen TIMESTAMP_NS);
            CREATE VIEW attacks AS SELECT * FROM events WHERE kind = 'attack';
            CREATE MACRO ipv4(address) AS CAST(split_part(address, '.', 1) AS UHUGEINT) * 16777216
                + CAST(split_part(address, '.', 2) AS UHUGEINT) * 65536
                + CAST(split_part(address, '.', 3) AS UHUGEINT) * 256
                + CAST(split_part(address, '.', 4) AS UHUGEINT);
            CREATE TABLE stored_to (flush BIGINT, time TIMESTAMP_NS);
            CREATE TABLE stored_positions (stream VARCHAR, position VARCHAR);
            """;

    private static final String VERSION_2 = "ALTER TABLE links_1m ADD COLUMN hidden_hops BIGINT;";

    /** Ids of flows hardly compress, and taking them apart again cost nine tenths of the search for one flow. */
    private static final String VERSION_3 = """
            CREATE TABLE flows_1m_by_3 (time TIMESTAMP_NS, flow_id VARCHAR USING COMPRESSION uncompressed, source VARCHAR,
                source_number UHUGEINT, destination VARCHAR, destination_number UHUGEINT, protocol BIGINT,
                source_port BIGINT, destination_port BIGINT, icmp_type BIGINT, icmp_code BIGINT, vni BIGINT,
                reports BIGINT, packets BIGINT, path_id VARCHAR, latency_p50 BIGINT, latency_p99 BIGINT, drops BIGINT);
            INSERT INTO flows_1m_by_3 SELECT * FROM flows_1m;
            DROP TABLE flows_1m;
            ALTER TABLE flows_1m_by_3 RENAME TO flows_1m;
            """;

    private static final String VERSION_4 = """
            CREATE TABLE attacks_1s (time TIMESTAMP_NS, attack_id VARCHAR, amount BIGINT, unit VARCHAR,
                threshold BIGINT);
            CREATE TABLE stopped (time TIMESTAMP_NS, since TIMESTAMP_NS, attack_id VARCHAR, mitigation_id VARCHAR,
                packets BIGINT);
            """;

    static final List<String> STEPS = List.of(VERSION_1, VERSION_2, VERSION_3, VERSION_4);

    private Migrations() {}

    /**
     * Takes the tables to the version of the last step, or to nowhere: a crash in between leaves the version that was there.
     *
     * @throws TableException if they are of a newer version, or of an older one and may only be read
     */
    static void run(Connection connection, Path where, List<String> steps, boolean readOnly)
            throws SQLException, TableException {
        try (Statement sql = connection.createStatement()) {
            int version = version(sql);
            if (version > steps.size()) {
                throw new TableException(
                        where,
                        "have schema version " + version + ", this program knows up to " + steps.size()
                                + "; use the newer program that wrote them");
            }
            if (version == steps.size()) {
                return;
            }
            if (readOnly) {
                throw new TableException(
                        where,
                        "have schema version " + version + ", this program reads " + steps.size()
                                + "; start the collector once, it brings them up to date");
            }
            sql.execute("BEGIN TRANSACTION");
            sql.execute("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT)");
            for (String step : steps.subList(version, steps.size())) {
                sql.execute(step);
            }
            sql.execute("DELETE FROM schema_version");
            sql.execute("INSERT INTO schema_version VALUES (" + steps.size() + ")");
            sql.execute("COMMIT");
        }
    }

    /** 0 where there are no tables yet. */
    private static int version(Statement sql) throws SQLException {
        try (ResultSet tables =
                sql.executeQuery("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'schema_version'")) {
            tables.next();
            if (tables.getInt(1) == 0) {
                return 0;
            }
        }
        try (ResultSet versions = sql.executeQuery("SELECT max(version) FROM schema_version")) {
            versions.next();
            return versions.getInt(1);
        }
    }
}
