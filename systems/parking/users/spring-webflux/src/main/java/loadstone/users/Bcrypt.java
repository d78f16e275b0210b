package loadstone.users;

/** The stack's library for bcrypt. Passwords have at most 72 bytes. */
interface Bcrypt {

    /** Gives a hash with a salt of its own, of the cost. */
    String hash(String password, int cost);

    /** Whether the hash, of `$2a$` or `$2b$`, is the password's; at the cost that it names. */
    boolean fits(String password, String hash);
}
