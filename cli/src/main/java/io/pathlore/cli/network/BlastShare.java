package io.pathlore.cli.network;

import io.pathlore.analysis.filter.Columns;
import io.pathlore.analysis.filter.Filter;
import io.pathlore.analysis.filter.FilterException;
import io.pathlore.analysis.filter.Sql;
import io.pathlore.analysis.plan.RuleFilter;
import io.pathlore.cli.filter.InventoryNames;
import io.pathlore.model.Rule;
import io.pathlore.model.RuleMatch;
import io.pathlore.serve.Problem;
import io.pathlore.store.tables.Row;
import java.time.Duration;

/**
 * What else a rule would have hit: of the reports of flows in the hour before, the part it matches. The tables do not know devices, so a
 * rule for one device counts all that goes where its packets go: at most so much.
 */
public final class BlastShare {
    private static final int WHOLE = 10_000;
    private static final int UNKNOWN = -1;
    private static final long HOUR = Duration.ofHours(1).toNanos();

    /** The attack itself is not other traffic: minutes with an attack do not count, and those that are not stored yet do not either. */
    private static final long FRESH = Duration.ofMinutes(2).toNanos();

    private final NetworkRoutes.Source source;

    public BlastShare(NetworkRoutes.Source source) {
        this.source = source;
    }

    /** In ten-thousandths, or -1 where nothing is known of that time. */
    public int of(Rule rule) {
        RuleMatch match = rule.match();
        RuleMatch packets = new RuleMatch(
                RuleMatch.ANY, match.source(), match.destination(), match.protocol(), match.destinationPort());
        long until = source.nowNanos() - FRESH;
        int[] share = {UNKNOWN};
        try {
            Sql matched = Filter.parse(RuleFilter.of(packets), InventoryNames.of(source.inventory()))
                    .toSql(Columns.flows());
            Question.of("SELECT CAST(sum(reports) AS BIGINT) AS n, CAST(sum(reports) FILTER (")
                    .add(matched)
                    .add("""
                            ) AS BIGINT) AS hit FROM flows_1m WHERE time >= make_timestamp_ns(?) AND time < make_timestamp_ns(?)
                            AND NOT EXISTS (SELECT 1 FROM events WHERE kind = 'attack'
                                AND start < flows_1m.time + INTERVAL 1 MINUTE AND ("end" IS NULL OR "end" >= flows_1m.time))""", until - HOUR, until)
                    .ask(source.queries(), row -> {
                        long all = row.number("n");
                        if (all != Row.ABSENT && all > 0) {
                            share[0] = (int) (Math.max(0, row.number("hit")) * WHOLE / all);
                        }
                    });
        } catch (Problem | FilterException | IllegalStateException e) {
            return UNKNOWN; // said as that, and nobody waits for it
        }
        return share[0];
    }
}
