package loadstone.booking;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The paths, compared as they were sent. Frameworks decode escapes, cut parameters after a
 * semicolon and answer OPTIONS by themselves, and each does so in its own way.
 */
enum Route {
    ACCOUNTS("/accounts", Operation.SIGN_UP),
    ME("/accounts/me", Operation.ME),
    LOGIN("/auth/login", Operation.LOG_IN),
    CLUBS("/clubs", Operation.LIST_CLUBS, Operation.CREATE_CLUB),
    CLUB("/clubs/{id}", Operation.GET_CLUB, Operation.REPLACE_CLUB),
    CLUB_FACILITIES("/clubs/{id}/facilities", Operation.ADD_FACILITY),
    FACILITIES("/facilities", Operation.LIST_FACILITIES),
    FACILITY(
            "/facilities/{id}",
            Operation.GET_FACILITY,
            Operation.REPLACE_FACILITY,
            Operation.RETIRE_FACILITY),
    SLOTS("/facilities/{id}/slots", Operation.LIST_SLOTS),
    RATINGS("/facilities/{id}/ratings", Operation.LIST_RATINGS),
    RESERVATIONS("/reservations", Operation.LIST_RESERVATIONS, Operation.RESERVE),
    RESERVATION("/reservations/{id}", Operation.GET_RESERVATION),
    ACCEPT("/reservations/{id}/accept", Operation.ACCEPT),
    REJECT("/reservations/{id}/reject", Operation.REJECT),
    CANCEL("/reservations/{id}/cancel", Operation.CANCEL),
    RATING("/reservations/{id}/rating", Operation.RATE),
    LIVE("/healthz", Operation.LIVE),
    READY("/readyz", Operation.READY);

    /** What stands in a template where an id does in a path. */
    private static final String ID = "{id}";

    private static final Pattern WITH_ID =
            Pattern.compile("(/[a-z]+/)" + Ids.PATTERN + "((?:/[a-z]+)?)");

    private static final Map<String, Route> BY_TEMPLATE =
            Arrays.stream(values())
                    .collect(Collectors.toUnmodifiableMap(Route::template, Function.identity()));

    private final String template;
    private final List<Operation> operations;
    private final String allowed;

    Route(String template, Operation... operations) {
        this.template = template;
        this.operations = List.of(operations);
        this.allowed =
                this.operations.stream().map(Operation::method).collect(Collectors.joining(", "));
    }

    /** Gives the route of a path without its query, or null where there is none. */
    static Route of(String path) {
        Matcher parts = WITH_ID.matcher(path);
        if (parts.matches()) {
            return BY_TEMPLATE.get(parts.group(1) + ID + parts.group(2));
        }
        // A path that is written like a template is none.
        return path.contains(ID) ? null : BY_TEMPLATE.get(path);
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

    private String template() {
        return template;
    }
}
