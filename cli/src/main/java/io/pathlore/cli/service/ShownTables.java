package io.pathlore.cli.service;

import io.pathlore.cli.config.Inventory;
import io.pathlore.cli.network.NetworkRoutes;
import io.pathlore.serve.Problem;
import io.pathlore.store.tables.Queries;

/** Tables with the names, and at the time, of what they were filled from. */
record ShownTables(Tables tables, Shown shown) implements NetworkRoutes.Source {
    @Override
    public Queries queries() throws Problem {
        return tables.queries();
    }

    @Override
    public Inventory inventory() {
        return shown.service().config().inventory();
    }

    @Override
    public long silentAfterNanos() {
        return shown.service().analysis().silentAfter().toNanos();
    }

    @Override
    public long nowNanos() {
        return shown.nowNanos();
    }
}
