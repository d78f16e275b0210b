package loadstone.users;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** What holds of texts of callers. */
final class Texts {

    /** As the text of a regular expression. */
    static final String PLATE_PATTERN = "L[A-Z]-[0-9]{5}";

    static final int LEAST_EMAIL_CHARACTERS = 3;
    static final int MOST_EMAIL_CHARACTERS = 40;

    private static final Pattern PLATE = Pattern.compile(PLATE_PATTERN);
    private static final Pattern VISIBLE = Pattern.compile("[!-~]*");
    private static final Pattern EMAIL = Pattern.compile("[^@]+@[^@]+");
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x1F\\x7F-\\x9F]");
    private static final Pattern SMALL = Pattern.compile("[a-z]");
    private static final Pattern CAPITAL = Pattern.compile("[A-Z]");
    private static final Pattern SYMBOL = Pattern.compile("[^A-Za-z0-9]");

    private Texts() {}

    /** Whether UTF-8 has it: no half of a surrogate pair. */
    static boolean isWhole(String text) {
        for (int at = 0; at < text.length(); ) {
            int codePoint = text.codePointAt(at);
            if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
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

    static boolean hasControl(String text) {
        return CONTROL.matcher(text).find();
    }

    /** Whether it has characters of U+0021 to U+007E alone. */
    static boolean isVisible(String text) {
        return VISIBLE.matcher(text).matches();
    }

    /** Whether a text of visible characters is written as an e-mail address. */
    static boolean isEmail(String text) {
        return EMAIL.matcher(text).matches();
    }

    /** Whether a user may have such an address. */
    static boolean isEmailOfUser(String text) {
        int length = length(text);
        return length >= LEAST_EMAIL_CHARACTERS
                && length <= MOST_EMAIL_CHARACTERS
                && isVisible(text)
                && isEmail(text);
    }

    static boolean isPlate(String text) {
        return PLATE.matcher(text).matches();
    }

    /** Whether it has a small letter, a capital, and what is neither letter nor digit. */
    static boolean isStrong(String text) {
        return SMALL.matcher(text).find()
                && CAPITAL.matcher(text).find()
                && SYMBOL.matcher(text).find();
    }
}
