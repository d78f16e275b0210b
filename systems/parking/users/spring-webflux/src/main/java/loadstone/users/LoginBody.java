package loadstone.users;

/** What `login` is given, both as no user may have them. */
record LoginBody(String email, String password) {

    /** More than these are not hashed by bcrypt. */
    private static final int MOST_PASSWORD_BYTES = 72;

    /** Whether there may be a user of these. Where there may be none, none is looked for. */
    boolean mayFit() {
        return Texts.isEmailOfUser(email) && Texts.bytes(password) <= MOST_PASSWORD_BYTES;
    }
}
