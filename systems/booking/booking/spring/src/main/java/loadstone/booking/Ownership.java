package loadstone.booking;

import java.util.Optional;

/** That a club, or what is of it, is the caller's. */
final class Ownership {

    private Ownership() {}

    /** Throws a Refusal where there is no owner, since nothing is there, or where it is another. */
    static void check(Optional<Long> ownerId, Caller caller) {
        long owner = ownerId.orElseThrow(Ownership::notFound);
        if (owner != caller.id()) {
            throw new Refusal(Problem.FORBIDDEN);
        }
    }

    static Refusal notFound() {
        return new Refusal(Problem.NOT_FOUND);
    }
}
