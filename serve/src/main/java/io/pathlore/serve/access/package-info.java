/** Who may ask what: tokens and their roles, and whether a request comes from this machine and from no foreign page. */
@NullMarked
package io.pathlore.serve.access;

import org.jspecify.annotations.NullMarked;
