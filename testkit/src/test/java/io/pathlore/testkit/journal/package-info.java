@NullMarked
package io.pathlore.testkit.journal;

import org.jspecify.annotations.NullMarked;
