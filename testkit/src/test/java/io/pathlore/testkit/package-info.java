@NullMarked
package io.pathlore.testkit;

import org.jspecify.annotations.NullMarked;
