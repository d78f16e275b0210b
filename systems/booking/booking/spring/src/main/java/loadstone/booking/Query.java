package loadstone.booking;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.List;

/**
 * The parameters of a query as it was sent. Each is null where it is missing, and a Refusal is
 * thrown where it is not what it may be. Those that nobody asks for are not looked at.
 */
final class Query {

    private static final int DIGITS_OF_ESCAPE = 2;
    private static final int LAST_OF_ASCII = 0x7F;

    private final String[] pairs;

    private Query(String[] pairs) {
        this.pairs = pairs;
    }

    /** Takes null where there is no query. */
    static Query of(String text) {
        return new Query(text == null ? new String[0] : text.split("&"));
    }

    String text(String name) {
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            if (isNamed(equals < 0 ? pair : pair.substring(0, equals), name)) {
                return equals < 0 ? "" : decode(pair.substring(equals + 1));
            }
        }
        return null;
    }

    /** Names may be written with escapes, too; one whose escapes are broken is nobody's. */
    private static boolean isNamed(String sent, String name) {
        if (sent.indexOf('%') < 0) {
            return sent.equals(name);
        }
        try {
            return decode(sent).equals(name);
        } catch (Refusal e) {
            return false;
        }
    }

    /** A text of 1 code point or more. */
    String text(String name, int most) {
        String text = text(name);
        return text == null
                ? null
                : required(!text.isEmpty() && Texts.length(text) <= most && isClean(text), text);
    }

    String word(String name, List<String> words) {
        String text = text(name);
        return text == null ? null : required(words.contains(text), text);
    }

    Boolean flag(String name) {
        String text = text(name);
        return text == null
                ? null
                : Boolean.valueOf(required(text.equals("true") || text.equals("false"), text));
    }

    Long id(String name) {
        String text = text(name);
        return text == null ? null : Long.valueOf(required(Ids.isId(text), text));
    }

    Instant instant(String name) {
        String text = text(name);
        return text == null ? null : required(Instants.parse(text));
    }

    /** A day of the years of reservations. */
    LocalDate day(String name) {
        String text = text(name);
        if (text == null) {
            return null;
        }
        LocalDate day = required(Instants.parseDay(text));
        return required(Instants.isInYears(day), day);
    }

    /** Gives the value, of a parameter that may not be missing or is none otherwise. */
    static <T> T required(T value) {
        return required(value != null, value);
    }

    private static <T> T required(boolean holds, T value) {
        if (!holds) {
            throw new Refusal(Problem.MALFORMED);
        }
        return value;
    }

    private static boolean isClean(String text) {
        return text.indexOf('\0') < 0;
    }

    /** Escapes have to be whole, and what they stand for has to be UTF-8. */
    private static String decode(String value) {
        var bytes = new ByteArrayOutputStream(value.length());
        for (int at = 0; at < value.length(); at++) {
            char character = value.charAt(at);
            if (character == '%') {
                bytes.write(escaped(value, at + 1));
                at += DIGITS_OF_ESCAPE;
            } else {
                required(character <= LAST_OF_ASCII, value);
                bytes.write(character == '+' ? ' ' : character);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new Refusal(Problem.MALFORMED);
        }
    }

    private static int escaped(String value, int at) {
        int end = at + DIGITS_OF_ESCAPE;
        boolean isEscape =
                end <= value.length()
                        && HexFormat.isHexDigit(value.charAt(at))
                        && HexFormat.isHexDigit(value.charAt(at + 1));
        required(isEscape, value);
        return HexFormat.fromHexDigits(value, at, end);
    }
}
