package loadstone.gateway;

import java.util.Locale;
import java.util.regex.Pattern;

/** What a request is to: the text as it was sent, and the path of it. */
record Target(String text, String path) {

    static final String HEALTH = "/health";

    private static final String ROUTE = "/users";
    private static final String LOGIN = "/users/login";

    private static final Pattern END_OF_SEGMENT = Pattern.compile("[/\\\\]|%2f|%5c");
    private static final Pattern DOTS = Pattern.compile("(?:\\.|%2e){1,2}");

    static Target of(String text) {
        int end = text.indexOf('?');
        return new Target(text, end < 0 ? text : text.substring(0, end));
    }

    /** Whether a segment is one or two dots, however they are written. */
    boolean hasDots() {
        if (path.indexOf('.') < 0 && path.indexOf('%') < 0) {
            return false;
        }
        String[] segments = END_OF_SEGMENT.split(path.toLowerCase(Locale.ROOT), -1);
        for (String segment : segments) {
            if (DOTS.matcher(segment).matches()) {
                return true;
            }
        }
        return false;
    }

    /** Whether it is of the service. */
    boolean isRouted() {
        return path.equals(ROUTE) || path.startsWith(ROUTE + "/");
    }

    /** Whether it is asked for without a token. */
    boolean isOpen(String method) {
        return method.equals("POST") && (path.equals(ROUTE) || path.equals(LOGIN));
    }
}
