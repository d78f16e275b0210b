package loadstone.conference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Conferences out of JSON values, with the first fault of each member. A value is a Map, a List, a
 * String, a Number, a Boolean or null, as each library for JSON can give it.
 */
final class Validation {

    /** An id as the text of a regular expression. */
    static final String ID_PATTERN = "[A-Za-z0-9][A-Za-z0-9._~-]{0,63}";

    private static final Pattern ID = Pattern.compile(ID_PATTERN);
    private static final int MOST_ID_CHARACTERS = 64;

    /** In code points. The column has as many. */
    private static final int MOST_NAME_CHARACTERS = 191;

    private static final int FIRST_PRINTABLE = 0x20;
    private static final int DELETE = 0x7F;

    private Validation() {}

    static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /** The conference of an insert. Throws a Refusal with all faults. */
    static Conference inserted(Object value) {
        Map<?, ?> members = members(value);
        List<Fault> faults = new ArrayList<>();
        note(faults, "/id", faultOfId(members));
        note(faults, "/name", faultOfName(members));
        refuse(faults);
        return new Conference((String) members.get("id"), (String) members.get("name"));
    }

    /**
     * The conference of a replacement, whose id is the path's. Throws a Refusal with all faults.
     */
    static Conference replaced(String id, Object value) {
        Map<?, ?> members = members(value);
        List<Fault> faults = new ArrayList<>();
        note(faults, "/id", faultOfRepeatedId(id, members));
        note(faults, "/name", faultOfName(members));
        refuse(faults);
        return new Conference(id, (String) members.get("name"));
    }

    private static Map<?, ?> members(Object value) {
        if (value instanceof Map<?, ?> members) {
            return members;
        }
        throw new Refusal(Problem.INVALID, List.of(new Fault("", "type")));
    }

    private static void note(List<Fault> faults, String pointer, String code) {
        if (code != null) {
            faults.add(new Fault(pointer, code));
        }
    }

    private static void refuse(List<Fault> faults) {
        if (!faults.isEmpty()) {
            throw new Refusal(Problem.INVALID, faults);
        }
    }

    private static String faultOfId(Map<?, ?> members) {
        String fault = faultOfText("id", members, MOST_ID_CHARACTERS);
        if (fault != null) {
            return fault;
        }
        return isId((String) members.get("id")) ? null : "pattern";
    }

    private static String faultOfRepeatedId(String id, Map<?, ?> members) {
        if (!members.containsKey("id")) {
            return null;
        }
        if (!(members.get("id") instanceof String text)) {
            return "type";
        }
        return text.equals(id) ? null : "mismatch";
    }

    private static String faultOfName(Map<?, ?> members) {
        String fault = faultOfText("name", members, MOST_NAME_CHARACTERS);
        if (fault != null) {
            return fault;
        }
        String name = (String) members.get("name");
        return name.codePoints().allMatch(Validation::isCharacter) ? null : "characters";
    }

    private static String faultOfText(String name, Map<?, ?> members, int most) {
        if (!members.containsKey(name)) {
            return "required";
        }
        if (!(members.get(name) instanceof String text)) {
            return "type";
        }
        if (text.isEmpty()) {
            return "too-short";
        }
        return text.codePointCount(0, text.length()) > most ? "too-long" : null;
    }

    /** No control, and no lone surrogate, which UTF-8 has not. */
    private static boolean isCharacter(int codePoint) {
        return codePoint >= FIRST_PRINTABLE
                && codePoint != DELETE
                && (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE);
    }
}
