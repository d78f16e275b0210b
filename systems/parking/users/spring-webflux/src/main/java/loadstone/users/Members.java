package loadstone.users;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * The members of a body. They are read in the order of SPEC.md's table. One of another type ends
 * the request; of one that is wrong otherwise null is given, and its first fault is kept, so that
 * those of all members are answered at once.
 */
final class Members {

    private final Map<?, ?> members;
    private final List<Fault> faults = new ArrayList<>();

    private Members(Map<?, ?> members) {
        this.members = members;
    }

    /** Throws a Refusal where the body is no object, or has a member that is not named. */
    static Members of(Object body, String... names) {
        if (!(body instanceof Map<?, ?> members)) {
            throw malformed();
        }
        if (!List.of(names).containsAll(members.keySet())) {
            throw new Refusal(Problem.UNKNOWN_MEMBER);
        }
        return new Members(members);
    }

    /** Throws a Refusal where there are faults. */
    void refuseFaults() {
        if (!faults.isEmpty()) {
            throw new Refusal(Problem.INVALID, faults);
        }
    }

    /** Keeps a fault, and gives null. */
    private <T> T fault(String name, String code) {
        faults.add(new Fault("/" + name, code));
        return null;
    }

    /** Any text. */
    String text(String name) {
        Object value = members.get(name);
        if (value == null) {
            return fault(name, "required");
        }
        if (value instanceof String text && Texts.isWhole(text)) {
            return text;
        }
        throw malformed();
    }

    /** A text of one to so many code points, none of them a control. */
    String line(String name, int most) {
        String text = sized(name, 1, most);
        return text == null || !Texts.hasControl(text) ? text : fault(name, "characters");
    }

    /** A text of so many visible characters. */
    String visible(String name, int least, int most) {
        String text = sized(name, least, most);
        return text == null || Texts.isVisible(text) ? text : fault(name, "characters");
    }

    private String sized(String name, int least, int most) {
        String text = text(name);
        if (text == null) {
            return null;
        }
        int length = Texts.length(text);
        if (length < least) {
            return fault(name, "too-short");
        }
        return length > most ? fault(name, "too-long") : text;
    }

    String email(String name) {
        String text = visible(name, Texts.LEAST_EMAIL_CHARACTERS, Texts.MOST_EMAIL_CHARACTERS);
        return text == null || Texts.isEmail(text) ? text : fault(name, "format");
    }

    /** A password of so many characters that a user may choose. */
    String password(String name, int least, int most) {
        String text = visible(name, least, most);
        return text == null || Texts.isStrong(text) ? text : fault(name, "weak");
    }

    String plate(String name) {
        String text = text(name);
        return text == null || Texts.isPlate(text) ? text : fault(name, "format");
    }

    /** One of these words. */
    <E extends Enum<E>> E word(String name, E[] words) {
        String text = text(name);
        if (text == null) {
            return null;
        }
        E word = Words.find(text, words);
        return word == null ? fault(name, "unknown-value") : word;
    }

    /** An id, from 1 on. */
    Long id(String name) {
        return number(name, 1, Long.MAX_VALUE);
    }

    Integer integer(String name, int least, int most) {
        Long number = number(name, least, most);
        return number == null ? null : Integer.valueOf(number.intValue());
    }

    /** An integer that is not 0. */
    Integer change(String name, int most) {
        Integer number = integer(name, -most, most);
        return number == null || number != 0 ? number : fault(name, "range");
    }

    private Long number(String name, long least, long most) {
        Object value = members.get(name);
        if (value == null) {
            return fault(name, "required");
        }
        if (!isInteger(value)) {
            throw malformed();
        }
        return isIn(value, least, most)
                ? Long.valueOf(((Number) value).longValue())
                : fault(name, "range");
    }

    /** One to so many ids, none twice. */
    List<Long> ids(String name, int most) {
        Object value = members.get(name);
        if (value == null) {
            return fault(name, "required");
        }
        if (!(value instanceof List<?> values) || !values.stream().allMatch(Members::isInteger)) {
            throw malformed();
        }
        if (values.isEmpty()) {
            return fault(name, "too-short");
        }
        if (values.size() > most) {
            return fault(name, "too-long");
        }
        if (!values.stream().allMatch(each -> isIn(each, 1, Long.MAX_VALUE))) {
            return fault(name, "range");
        }
        List<Long> ids = values.stream().map(each -> ((Number) each).longValue()).toList();
        return new HashSet<>(ids).size() < ids.size() ? fault(name, "duplicate") : ids;
    }

    private static boolean isInteger(Object value) {
        return value instanceof Integer || value instanceof Long || value instanceof BigInteger;
    }

    /** Of what is an integer; a large one is in no range. */
    private static boolean isIn(Object value, long least, long most) {
        if (value instanceof BigInteger) {
            return false;
        }
        long number = ((Number) value).longValue();
        return number >= least && number <= most;
    }

    private static Refusal malformed() {
        return new Refusal(Problem.MALFORMED);
    }
}
