@NullMarked
package io.pathlore.dataplane.report;

import org.jspecify.annotations.NullMarked;
