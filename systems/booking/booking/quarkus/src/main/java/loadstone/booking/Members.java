package loadstone.booking;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The members of a body. They are read in the order of SPEC.md's table; one that has a fault is
 * given as null, and its first fault is kept, so that those of all members are answered at once.
 */
final class Members {

    private final Map<?, ?> members;
    private final List<Fault> faults = new ArrayList<>();

    private Members(Map<?, ?> members) {
        this.members = members;
    }

    /** Throws a Refusal where the body is no object. */
    static Members of(Object body) {
        if (body instanceof Map<?, ?> members) {
            return new Members(members);
        }
        throw new Refusal(Problem.VALIDATION, List.of(new Fault("", "type")));
    }

    /** Throws a Refusal where there are faults. */
    void refuseFaults() {
        if (!faults.isEmpty()) {
            throw new Refusal(Problem.VALIDATION, faults);
        }
    }

    /** Keeps a fault, and gives null. */
    <T> T fault(String name, String code) {
        faults.add(new Fault("/" + name, code));
        return null;
    }

    /** Whether a member that has a default has to be it. */
    boolean isMissing(String name) {
        return members.get(name) == null;
    }

    /** Any text. */
    String text(String name) {
        Object value = members.get(name);
        if (value == null) {
            return fault(name, "required");
        }
        if (!(value instanceof String text)) {
            return fault(name, "type");
        }
        return Texts.isClean(text) ? text : fault(name, "format");
    }

    /** A text of so many code points. */
    String text(String name, int least, int most) {
        String text = text(name);
        return text == null ? null : sized(name, text, Texts.length(text), least, most);
    }

    /** A text of so many bytes. */
    String password(String name, int least, int most) {
        String text = text(name);
        return text == null ? null : sized(name, text, Texts.bytes(text), least, most);
    }

    private String sized(String name, String text, int size, int least, int most) {
        if (size < least) {
            return fault(name, "too-short");
        }
        return size > most ? fault(name, "too-long") : text;
    }

    /** An e-mail address, in lower case. */
    String email(String name) {
        String text = text(name);
        if (text == null) {
            return null;
        }
        String email = Texts.lowerCase(text);
        if (!Texts.isEmail(email)) {
            return fault(name, "format");
        }
        return Texts.isLongEnough(email) ? email : fault(name, "too-short");
    }

    /** One of these texts. */
    String word(String name, List<String> words) {
        String text = text(name);
        return text == null || words.contains(text) ? text : fault(name, "unknown-value");
    }

    Instant instant(String name) {
        String text = text(name);
        if (text == null) {
            return null;
        }
        Instant instant = Instants.parse(text);
        return instant == null ? fault(name, "format") : instant;
    }

    /** An id, from 1 on. */
    Long id(String name) {
        return number(name, 1, Long.MAX_VALUE);
    }

    Integer integer(String name, int least, int most) {
        Long number = number(name, least, most);
        return number == null ? null : Integer.valueOf(number.intValue());
    }

    /** One of these numbers. */
    Integer oneOf(String name, List<Integer> numbers) {
        Long number = number(name, Long.MIN_VALUE, Long.MAX_VALUE);
        if (number == null) {
            return null;
        }
        for (Integer each : numbers) {
            if (each.longValue() == number) {
                return each;
            }
        }
        return fault(name, "unknown-value");
    }

    private Long number(String name, long least, long most) {
        Object value = members.get(name);
        if (value == null) {
            return fault(name, "required");
        }
        if (value instanceof BigInteger) {
            return fault(name, "range");
        }
        if (!(value instanceof Integer) && !(value instanceof Long)) {
            return fault(name, "type");
        }
        long number = ((Number) value).longValue();
        return number < least || number > most ? fault(name, "range") : Long.valueOf(number);
    }
}
