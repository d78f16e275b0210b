package loadstone.conference;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A part of a list: at most `limit` rows behind the id `after`, or from the first where it is
 * empty.
 */
record Page(int limit, String after) {

    private static final Pattern LIMIT = Pattern.compile("[1-9][0-9]{0,2}|1000");

    /**
     * Reads the query as it was sent, or null where there is none. Gives null for the whole list.
     * Throws a Refusal.
     */
    static Page of(String query) {
        String limit = parameter("limit", query);
        String after = parameter("after", query);
        if (limit == null && after == null) {
            return null;
        }
        if (limit == null
                || !LIMIT.matcher(limit).matches()
                || (after != null && !Validation.isId(after))) {
            throw new Refusal(Problem.MALFORMED_PAGE);
        }
        return new Page(Integer.parseInt(limit), after == null ? "" : after);
    }

    /** How many rows to read: one more than are answered shows whether there is another page. */
    int rows() {
        return limit + 1;
    }

    /** The rows to answer, of those that were read. */
    List<Conference> cut(List<Conference> read) {
        return read.size() > limit ? read.subList(0, limit) : read;
    }

    /** The value of the field `Link`, or null where there is no other page. */
    String link(String path, List<Conference> read) {
        if (read.size() <= limit) {
            return null;
        }
        String last = read.get(limit - 1).getId();
        return "<" + path + "?limit=" + limit + "&after=" + last + ">; rel=\"next\"";
    }

    private static String parameter(String name, String query) {
        if (query == null) {
            return null;
        }
        for (String pair : query.split("&")) {
            int equals = pair.indexOf('=');
            if ((equals < 0 ? pair : pair.substring(0, equals)).equals(name)) {
                return equals < 0 ? "" : decode(pair.substring(equals + 1));
            }
        }
        return null;
    }

    private static String decode(String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new Refusal(Problem.MALFORMED_PAGE);
        }
    }
}
