package loadstone.booking;

import java.util.List;
import java.util.Locale;

/** What an account may do. */
enum Role {
    PLAYER,
    OWNER;

    /** The texts of both. */
    static final List<String> TEXTS = List.of(PLAYER.text(), OWNER.text());

    private final String text = name().toLowerCase(Locale.ROOT);

    /** Gives null for a value that is none. */
    static Role of(Object text) {
        for (Role role : values()) {
            if (role.text.equals(text)) {
                return role;
            }
        }
        return null;
    }

    String text() {
        return text;
    }
}
