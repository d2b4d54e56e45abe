@NullMarked
package io.pathlore.analysis.event;

import org.jspecify.annotations.NullMarked;
