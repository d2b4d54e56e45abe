@NullMarked
package io.pathlore.engine;

import org.jspecify.annotations.NullMarked;
