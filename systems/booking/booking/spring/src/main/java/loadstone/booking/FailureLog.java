package loadstone.booking;

/** One line on stderr for each answer of 5xx: of 500 always, of the others at `warn` and below. */
final class FailureLog {

    private final boolean hasWarnings;

    FailureLog(Config config) {
        this.hasWarnings = !config.logLevel().equals("error");
    }

    /** The operation is null where the request got as far as none. */
    void write(Operation operation, Problem problem, String message) {
        if (hasWarnings || problem == Problem.INTERNAL) {
            String name = operation == null ? "request" : operation.text();
            System.err.println(
                    "booking: " + name + ": " + problem.code() + ": " + firstLine(message));
        }
    }

    private static String firstLine(String message) {
        return String.valueOf(message).lines().findFirst().orElse("");
    }
}
