package io.pathlore.mitigate.ledger;

/** Why a mitigation is not wanted any more. */
enum Ending {
    NONE(""),
    OPERATOR("an operator withdrew it"),
    ATTACK_OVER("the attack is over"),
    EXPIRY("its time was over"),
    KILL_SWITCH("everything was withdrawn"),
    NOT_ALLOWED("it is not allowed any more");

    private final String words;

    Ending(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    State state() {
        return this == EXPIRY ? State.EXPIRED : State.WITHDRAWN;
    }

    /** The attack stopped by itself, so that its return would be a flap. */
    boolean calm() {
        return this == ATTACK_OVER || this == EXPIRY;
    }
}
