package loadstone.users;

/** One line on stderr for each answer of 5xx, and for each request that the registry fails. */
final class FailureLog {

    private FailureLog() {}

    /** The operation is null where the request got as far as none. */
    static void write(Operation operation, Problem problem, String message) {
        write(operation == null ? "request" : operation.text(), problem.code() + ": " + message);
    }

    static void write(String what, String message) {
        System.err.println("users: " + what + ": " + firstLine(message));
    }

    private static String firstLine(String message) {
        return String.valueOf(message).lines().findFirst().orElse("");
    }
}
