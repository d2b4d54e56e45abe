package io.pathlore.store.tables;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

/** Rows of one table as a stream of column batches, which DuckDB reads where they lie. */
final class RowStream extends ArrowReader {
    // A few of DuckDB's vectors of 2048, and columns that fit a processor's cache.
    private static final int BATCH = 16_384;

    private final Table table;
    private final List<Row> rows;
    private int done;

    RowStream(BufferAllocator allocator, Table table, List<Row> rows) {
        super(allocator);
        this.table = table;
        this.rows = rows;
    }

    @Override
    public boolean loadNextBatch() throws IOException {
        int count = Math.min(BATCH, rows.size() - done);
        if (count == 0) {
            return false;
        }
        VectorSchemaRoot root = getVectorSchemaRoot();
        for (FieldVector vector : root.getFieldVectors()) {
            // New memory for each batch: whoever reads the last one may still be at it.
            vector.setInitialCapacity(count);
            vector.allocateNew();
        }
        ArrowRowWriter writer = new ArrowRowWriter(root);
        for (int i = 0; i < count; i++) {
            writer.begin(i);
            rows.get(done + i).write(writer);
        }
        root.setRowCount(count);
        done += count;
        return true;
    }

    @Override
    public long bytesRead() {
        return 0;
    }

    @Override
    protected void closeReadSource() {}

    @Override
    protected Schema readSchema() {
        return ArrowRowWriter.schema(table);
    }
}
