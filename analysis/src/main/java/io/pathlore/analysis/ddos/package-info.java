@NullMarked
package io.pathlore.analysis.ddos;

import org.jspecify.annotations.NullMarked;
