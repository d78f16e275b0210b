package loadstone.users;

import java.util.regex.Pattern;

/** Ids as the texts that they are in paths and fields. */
final class Ids {

    /** As the text of a regular expression. Sixteen digits fit into a long. */
    static final String PATTERN = "[1-9][0-9]{0,15}";

    private static final Pattern ID = Pattern.compile(PATTERN);

    private Ids() {}

    static boolean isId(String text) {
        return ID.matcher(text).matches();
    }
}
