package io.pathlore.dataplane.lab;

/**
 * What the devices of a lab have in common.
 *
 * @param epochNanos what a clock that is right shows at virtual time 0
 * @param classes queues per egress interface, served strictly from the highest; a packet's is that of its DSCP
 * @param queueBytes capacity of each queue of a switch
 * @param pipelineNanos what a packet needs through a switch without any queue
 * @param convergenceNanos from a link's going down or up until routes know
 * @param clockOffsetNanos node clocks are off by up to so much, either way
 * @param clockDriftPerBillion and drift by up to so much, either way
 * @param linkLossPerBillion of every link between switches
 */
public record LabOptions(
        long epochNanos,
        int classes,
        long queueBytes,
        long pipelineNanos,
        long convergenceNanos,
        long clockOffsetNanos,
        long clockDriftPerBillion,
        int linkLossPerBillion,
        Management management) {
    public static final LabOptions DEFAULT =
            new LabOptions(0, 1, 1_000_000, 800, 200_000_000, 0, 0, 0, Management.DEFAULT);

    public LabOptions {
        if (classes < 1 || classes > 8) {
            throw new IllegalArgumentException(classes + " queues per interface");
        }
    }

    public LabOptions withEpoch(long epochNanos) {
        return new LabOptions(
                epochNanos,
                classes,
                queueBytes,
                pipelineNanos,
                convergenceNanos,
                clockOffsetNanos,
                clockDriftPerBillion,
                linkLossPerBillion,
                management);
    }

    public LabOptions withClasses(int classes) {
        return new LabOptions(
                epochNanos,
                classes,
                queueBytes,
                pipelineNanos,
                convergenceNanos,
                clockOffsetNanos,
                clockDriftPerBillion,
                linkLossPerBillion,
                management);
    }

    public LabOptions withQueueBytes(long queueBytes) {
        return new LabOptions(
                epochNanos,
                classes,
                queueBytes,
                pipelineNanos,
                convergenceNanos,
                clockOffsetNanos,
                clockDriftPerBillion,
                linkLossPerBillion,
                management);
    }

    public LabOptions withPipeline(long pipelineNanos) {
        return new LabOptions(
                epochNanos,
                classes,
                queueBytes,
                pipelineNanos,
                convergenceNanos,
                clockOffsetNanos,
                clockDriftPerBillion,
                linkLossPerBillion,
                management);
    }

    public LabOptions withConvergence(long convergenceNanos) {
        return new LabOptions(
                epochNanos,
                classes,
                queueBytes,
                pipelineNanos,
                convergenceNanos,
                clockOffsetNanos,
                clockDriftPerBillion,
                linkLossPerBillion,
                management);
    }

    public LabOptions withClocks(long offsetNanos, long driftPerBillion) {
        return new LabOptions(
                epochNanos,
                classes,
                queueBytes,
                pipelineNanos,
                convergenceNanos,
                offsetNanos,
                driftPerBillion,
                linkLossPerBillion,
                management);
    }

    public LabOptions withLinkLoss(int perBillion) {
        return new LabOptions(
                epochNanos,
                classes,
                queueBytes,
                pipelineNanos,
                convergenceNanos,
                clockOffsetNanos,
                clockDriftPerBillion,
                perBillion,
                management);
    }

    public LabOptions withManagement(Management management) {
        return new LabOptions(
                epochNanos,
                classes,
                queueBytes,
                pipelineNanos,
                convergenceNanos,
                clockOffsetNanos,
                clockDriftPerBillion,
                linkLossPerBillion,
                management);
    }

    /**
     * The way of reports to the collector. They stay in order but for those that chance picks.
     *
     * @param jitterNanos up to so much more than the delay
     * @param reorderNanos how much later, at most, a reordered datagram or the second copy of one arrives
     */
    public record Management(
            long delayNanos,
            long jitterNanos,
            int lossPerBillion,
            int duplicatePerBillion,
            int reorderPerBillion,
            long reorderNanos) {
        public static final Management DEFAULT = new Management(500_000, 0, 0, 0, 0, 2_000_000);
    }
}
