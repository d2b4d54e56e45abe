package io.pathlore.analysis.plan;

import java.util.List;

/**
 * What can be done about an attack.
 *
 * @param proposals the one that stops most first
 * @param refusals why there is none for some of it, a line each
 */
public record Plan(List<Proposal> proposals, List<String> refusals) {
    public Plan {
        proposals = List.copyOf(proposals);
        refusals = List.copyOf(refusals);
    }
}
