/** The vocabulary every other module speaks: values only. */
@NullMarked
package io.pathlore.model;

import org.jspecify.annotations.NullMarked;
