@NullMarked
package io.pathlore.cli.client;

import org.jspecify.annotations.NullMarked;
