@NullMarked
package io.pathlore.model;

import org.jspecify.annotations.NullMarked;
