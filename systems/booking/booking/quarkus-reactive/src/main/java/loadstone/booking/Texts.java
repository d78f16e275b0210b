package loadstone.booking;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** What holds of texts of callers. */
final class Texts {

    private static final int LEAST_EMAIL_CHARACTERS = 6;
    private static final Pattern EMAIL = Pattern.compile("[a-z0-9._%+-]{1,64}@[a-z0-9.-]{3,189}");

    private Texts() {}

    /** Whether the database and UTF-8 have it: no U+0000, and no half of a surrogate pair. */
    static boolean isClean(String text) {
        for (int at = 0; at < text.length(); ) {
            int codePoint = text.codePointAt(at);
            if (codePoint == 0
                    || (codePoint >= Character.MIN_SURROGATE
                            && codePoint <= Character.MAX_SURROGATE)) {
                return false;
            }
            at += Character.charCount(codePoint);
        }
        return true;
    }

    /** In code points. */
    static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    /** In bytes of UTF-8. */
    static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Letters of ASCII alone: others have a lower case that is of ASCII, too. */
    static String lowerCase(String text) {
        var lower = new StringBuilder(text);
        for (int i = 0; i < lower.length(); i++) {
            char character = lower.charAt(i);
            if (character >= 'A' && character <= 'Z') {
                lower.setCharAt(i, (char) (character - 'A' + 'a'));
            }
        }
        return lower.toString();
    }

    /** Whether a text in lower case is written as an e-mail address. */
    static boolean isEmail(String text) {
        return EMAIL.matcher(text).matches();
    }

    /** Whether such an address, whose pattern has a limit above, is long enough for an account. */
    static boolean isLongEnough(String email) {
        return email.length() >= LEAST_EMAIL_CHARACTERS;
    }

    /** For LIKE: the text anywhere, with what stands for others standing for itself. */
    static String contained(String text) {
        return "%" + text.replaceAll("[\\\\%_]", "\\\\$0") + "%";
    }
}
