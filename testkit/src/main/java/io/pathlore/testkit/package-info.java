/** What tests share: property runner, generators, golden vectors, poisoned buffers. */
@NullMarked
package io.pathlore.testkit;

import org.jspecify.annotations.NullMarked;
