package loadstone.booking;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;

/** A part of a list: at most `limit` rows behind the id `after`. */
record Page(int limit, long after) {

    private static final Pattern LIMIT = Pattern.compile("[1-9][0-9]?|100");
    private static final int LIMIT_BY_DEFAULT = 20;

    /** Reads the query of a list that begins with the least id. Throws a Refusal. */
    static Page ascending(Query query) {
        return of(query, 0);
    }

    /** Reads the query of a list that begins with the greatest id. Throws a Refusal. */
    static Page descending(Query query) {
        return of(query, Long.MAX_VALUE);
    }

    private static Page of(Query query, long start) {
        String limit = query.text("limit");
        String cursor = query.text("cursor");
        if (limit != null && !LIMIT.matcher(limit).matches()) {
            throw new Refusal(Problem.MALFORMED);
        }
        return new Page(
                limit == null ? LIMIT_BY_DEFAULT : Integer.parseInt(limit),
                cursor == null ? start : idOf(cursor));
    }

    /** How many rows to read: one more than are answered shows whether there is another page. */
    int rows() {
        return limit + 1;
    }

    /** Makes the answer of the rows that were read. */
    <T> Listing<T> listing(List<T> read, ToLongFunction<T> id) {
        if (read.size() <= limit) {
            return new Listing<>(read, null);
        }
        List<T> items = read.subList(0, limit);
        return new Listing<>(items, cursor(id.applyAsLong(items.get(limit - 1))));
    }

    private static String cursor(long id) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Long.toString(id).getBytes(StandardCharsets.US_ASCII));
    }

    /** What is made of the id again has to be the cursor: the library takes padding, too. */
    private static long idOf(String cursor) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(cursor);
            String id = new String(bytes, StandardCharsets.US_ASCII);
            if (Ids.isId(id) && cursor(Long.parseLong(id)).equals(cursor)) {
                return Long.parseLong(id);
            }
        } catch (IllegalArgumentException e) {
            // As wrong as any other text.
        }
        throw new Refusal(Problem.MALFORMED);
    }
}
