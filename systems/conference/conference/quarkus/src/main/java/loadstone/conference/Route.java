package loadstone.conference;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The paths, compared as they were sent. Frameworks decode escapes, cut parameters after a
 * semicolon and answer OPTIONS by themselves, and each does so in its own way.
 */
enum Route {
    CONFERENCES(Operation.LIST, Operation.INSERT),
    CONFERENCES_WITH_COUNTRY(Operation.WITH_COUNTRY),
    CONFERENCE(Operation.GET, Operation.REPLACE, Operation.REMOVE),
    LIVE(Operation.LIVE),
    READY(Operation.READY);

    private static final Pattern ONE = Pattern.compile("/conferences/" + Validation.ID_PATTERN);

    private final List<Operation> operations;
    private final String allowed;

    Route(Operation... operations) {
        this.operations = List.of(operations);
        this.allowed =
                this.operations.stream().map(Operation::method).collect(Collectors.joining(", "));
    }

    /** Gives the route of a path without its query, or null where there is none. */
    static Route of(String path) {
        return switch (path) {
            case "/conferences" -> CONFERENCES;
            case "/conferenceswithcountry" -> CONFERENCES_WITH_COUNTRY;
            case "/healthz" -> LIVE;
            case "/readyz" -> READY;
            default -> ONE.matcher(path).matches() ? CONFERENCE : null;
        };
    }

    /** Gives the operation of a method, or null where the path does not have it. */
    Operation operation(String method) {
        for (Operation operation : operations) {
            if (operation.method().equals(method)) {
                return operation;
            }
        }
        return null;
    }

    /** The value of the field `Allow`. */
    String allowed() {
        return allowed;
    }
}
