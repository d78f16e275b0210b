package loadstone.users;

import java.util.List;

/** Ends a request with a problem. The message, of failures alone, is for the log. */
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;
    private final transient List<Fault> faults;

    Refusal(Problem problem) {
        this(problem, List.of(), null);
    }

    Refusal(Problem problem, String message) {
        this(problem, List.of(), message);
    }

    Refusal(Problem problem, List<Fault> faults) {
        this(problem, faults, null);
    }

    private Refusal(Problem problem, List<Fault> faults, String message) {
        // No trace of the stack: it is an answer, and costs as little as one.
        super(message, null, false, false);
        this.problem = problem;
        this.faults = faults;
    }

    Problem problem() {
        return problem;
    }

    List<Fault> faults() {
        return faults;
    }
}
