@NullMarked
package io.pathlore.flink;

import org.jspecify.annotations.NullMarked;
