@NullMarked
package io.pathlore.cli.service;

import org.jspecify.annotations.NullMarked;
