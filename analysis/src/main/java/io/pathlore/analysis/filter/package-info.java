/** The filter language: one for command line, API, web page and alerts. */
@NullMarked
package io.pathlore.analysis.filter;

import org.jspecify.annotations.NullMarked;
