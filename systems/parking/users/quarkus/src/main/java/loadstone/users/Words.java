package loadstone.users;

/** Words of a list, which are compared to the letter. */
final class Words {

    private Words() {}

    /** Gives the one of these words that the text is, or null. */
    @SafeVarargs
    static <E extends Enum<E>> E find(String text, E... words) {
        for (E word : words) {
            if (word.name().equals(text)) {
                return word;
            }
        }
        return null;
    }
}
