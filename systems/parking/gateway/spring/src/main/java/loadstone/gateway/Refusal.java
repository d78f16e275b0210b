package loadstone.gateway;

/** Ends a request with a problem. The message is for the log; without one there is no line. */
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    Refusal(Problem problem) {
        this(problem, null);
    }

    Refusal(Problem problem, String message) {
        // No trace of the stack: it is an answer, and costs as little as one.
        super(message, null, false, false);
        this.problem = problem;
    }

    Problem problem() {
        return problem;
    }
}
