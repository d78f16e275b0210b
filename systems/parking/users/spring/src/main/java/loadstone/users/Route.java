package loadstone.users;

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
    USERS("/users", Operation.LIST_USERS, Operation.CREATE_USER),
    LOGIN("/users/login", Operation.LOGIN),
    TOP_COINS("/users/top-coins", Operation.TOP_COINS),
    COINS("/users/coins", Operation.GRANT_COINS),
    USER("/users/{id}", Operation.GET_USER),
    STATUS("/users/{id}/status", Operation.SET_STATUS),
    VEHICLES("/users/{id}/vehicles", Operation.VEHICLES),
    VEHICLE("/users/{id}/vehicles/{plate}", Operation.PUT_VEHICLE),
    PAYMENT_METHOD(
            "/users/{id}/payment-method", Operation.PAYMENT_METHOD, Operation.SET_PAYMENT_METHOD),
    WALLET("/users/{id}/coins", Operation.WALLET),
    DEBITS("/internal/coins/debits", Operation.DEBIT),
    HEALTH("/health", Operation.HEALTH);

    /** A path as one of these, and the id in it, or 0 where there is none. */
    record Match(Route route, long userId) {}

    /** What stands in a template where an id or a plate does in a path. */
    private static final String ID = "{id}";

    private static final String PLATE = "{plate}";

    private static final Pattern OF_USER =
            Pattern.compile(
                    "/users/(" + Ids.PATTERN + ")(/[a-z-]+)?(/" + Texts.PLATE_PATTERN + ")?");

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
    static Match of(String path) {
        Matcher parts = OF_USER.matcher(path);
        if (parts.matches()) {
            String collection = parts.group(2) == null ? "" : parts.group(2);
            String member = parts.group(3) == null ? "" : "/" + PLATE;
            Route route = BY_TEMPLATE.get("/users/" + ID + collection + member);
            return route == null ? null : new Match(route, Long.parseLong(parts.group(1)));
        }
        // A path that is written like a template is none.
        Route route = path.indexOf('{') >= 0 ? null : BY_TEMPLATE.get(path);
        return route == null ? null : new Match(route, 0);
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
