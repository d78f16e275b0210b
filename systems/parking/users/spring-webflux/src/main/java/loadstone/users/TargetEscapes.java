package loadstone.users;

import java.util.HexFormat;

/** Targets of requests as URIs may be written. */
final class TargetEscapes {

    private static final String NOT_OF_URIS = "\"<>[\\]^`{|}#";
    private static final char FIRST_VISIBLE = '!';
    private static final char LAST_VISIBLE = '~';
    private static final int LENGTH_OF_ESCAPE = 3;
    private static final int BYTE = 0xFF;

    private TargetEscapes() {}

    /** Gives the target itself where there is nothing to escape. */
    static String escape(String target) {
        for (int i = 0; i < target.length(); i++) {
            if (!isAllowed(target, i)) {
                return escapeFrom(i, target);
            }
        }
        return target;
    }

    private static String escapeFrom(int first, String target) {
        var escaped = new StringBuilder(target.substring(0, first));
        for (int i = first; i < target.length(); i++) {
            char character = target.charAt(i);
            if (isAllowed(target, i)) {
                escaped.append(character);
            } else {
                // Netty gives each byte of a target as a character.
                escaped.append(String.format("%%%02X", character & BYTE));
            }
        }
        return escaped.toString();
    }

    private static boolean isAllowed(String target, int at) {
        char character = target.charAt(at);
        if (character == '%') {
            return at + LENGTH_OF_ESCAPE <= target.length()
                    && HexFormat.isHexDigit(target.charAt(at + 1))
                    && HexFormat.isHexDigit(target.charAt(at + 2));
        }
        return character >= FIRST_VISIBLE
                && character <= LAST_VISIBLE
                && NOT_OF_URIS.indexOf(character) < 0;
    }
}
