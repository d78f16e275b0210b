package loadstone.users;

/** The stack's library for JSON, as far as it is used by itself. */
interface Json {

    /** A text that is not one JSON value with nothing behind it. */
    final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        Malformed(Throwable cause) {
            super("no JSON", cause);
        }
    }

    /**
     * Gives a Map, a List, a String, a Number, a Boolean or null. A number without a fraction or an
     * exponent is an Integer, a Long or a BigInteger, and any other is none of them.
     */
    Object read(String text) throws Malformed;

    /** Writes the answer that a record of this package is. */
    byte[] write(Object value);
}
