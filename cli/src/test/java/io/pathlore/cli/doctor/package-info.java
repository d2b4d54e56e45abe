@NullMarked
package io.pathlore.cli.doctor;

import org.jspecify.annotations.NullMarked;
