/** A controller that fails in all the ways controllers fail. */
@NullMarked
package io.pathlore.testkit.controller;

import org.jspecify.annotations.NullMarked;
