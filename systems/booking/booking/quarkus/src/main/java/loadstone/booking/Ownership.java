package loadstone.booking;

/** That a club, or what is of it, is the caller's. */
final class Ownership {

    private Ownership() {}

    /** Throws a Refusal where it is another's. */
    static void check(long ownerId, Caller caller) {
        if (ownerId != caller.id()) {
            throw new Refusal(Problem.FORBIDDEN);
        }
    }

    static Refusal notFound() {
        return new Refusal(Problem.NOT_FOUND);
    }
}
