package loadstone.gateway;

/** Lines on stderr: for an answer of 5xx, and for each request that the registry fails. */
final class FailureLog {

    private FailureLog() {}

    static void write(String what, String message) {
        System.err.println("gateway: " + what + ": " + firstLine(message));
    }

    /** What a failure says of itself, or its name. */
    static String reason(Throwable failure) {
        return failure.getMessage() == null
                ? failure.getClass().getName()
                : firstLine(failure.getMessage());
    }

    private static String firstLine(String message) {
        return String.valueOf(message).lines().findFirst().orElse("");
    }
}
