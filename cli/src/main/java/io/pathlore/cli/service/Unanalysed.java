package io.pathlore.cli.service;

import io.pathlore.engine.Intake;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Shed;
import java.nio.ByteBuffer;

/** In place of the analysis where others do it: reports are counted, and that is all. Hot path: belongs to the thread that decodes. */
public final class Unanalysed implements Intake {
    private final Ledger.Worker ledger;
    private long reports;

    public Unanalysed(Ledger.Worker ledger) {
        this.ledger = ledger;
    }

    @Override
    public void report(ByteBuffer bytes, int at) {
        reports++;
    }

    @Override
    public void flush() {
        if (reports > 0) {
            ledger.shed(Shed.ELSEWHERE, reports);
            reports = 0;
        }
    }

    @Override
    public void endBatch() {}

    @Override
    public void onTick(long nowNanos) {}

    @Override
    public void onPressure(int percent, long ticks) {}

    @Override
    public void end() {}
}
