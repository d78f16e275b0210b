package loadstone.booking;

import reactor.core.publisher.Mono;

/** That a club, or what is of it, is the caller's. */
final class Ownership {

    private Ownership() {}

    /** Fails where there is no owner, since nothing is there, or where it is another. */
    static Mono<Long> check(Mono<Long> ownerId, Caller caller) {
        return ownerId.switchIfEmpty(notFound())
                .filter(owner -> owner == caller.id())
                .switchIfEmpty(refused(Problem.FORBIDDEN));
    }

    static <T> Mono<T> notFound() {
        return refused(Problem.NOT_FOUND);
    }

    static <T> Mono<T> refused(Problem problem) {
        return Mono.error(() -> new Refusal(problem));
    }
}
