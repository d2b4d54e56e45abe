@NullMarked
package io.pathlore.cli.network;

import org.jspecify.annotations.NullMarked;
