@NullMarked
package io.pathlore.testkit.generate;

import org.jspecify.annotations.NullMarked;
