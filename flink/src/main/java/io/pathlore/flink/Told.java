package io.pathlore.flink;

import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;

/** What travels between the operators: in types whose form Flink knows, so that nothing has to be guessed. */
final class Told {
    /** A block for a part. */
    static final TypeInformation<Tuple2<Integer, byte[]>> BLOCK =
            Types.TUPLE(Types.INT, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

    /** What comes of it: which kind, a key, and text. */
    static final TypeInformation<Tuple3<Integer, String, String>> RESULT =
            Types.TUPLE(Types.INT, Types.STRING, Types.STRING);

    static final int EVENT = -1;
    static final int ROW = -2;

    /** A source, as its key, is complete up to a time. */
    static final int COMPLETE = -3;

    // From 0 on: for that partition of the topic.

    private Told() {}
}
