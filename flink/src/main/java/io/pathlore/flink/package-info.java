/** The analysis as a job of a Flink cluster: what the engine does in one process, on many machines. */
@NullMarked
package io.pathlore.flink;

import org.jspecify.annotations.NullMarked;
