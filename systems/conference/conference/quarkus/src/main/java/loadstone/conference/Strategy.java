package loadstone.conference;

import java.util.Locale;

/** How the countries of a list are looked up. */
enum Strategy {
    SEQUENTIAL,
    CONCURRENT,
    BATCHED;

    /** Gives null for a text that names none. */
    static Strategy of(String text) {
        for (Strategy strategy : values()) {
            if (strategy.name().toLowerCase(Locale.ROOT).equals(text)) {
                return strategy;
            }
        }
        return null;
    }
}
