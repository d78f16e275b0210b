package loadstone.booking;

/** What `log-in` is given, the address in lower case, both as no account may have them. */
record LogInBody(String email, String password) {

    /** Whether there may be an account of these. Where there may be none, none is looked for. */
    boolean mayFit() {
        return Texts.isEmail(email)
                && Texts.isLongEnough(email)
                && Texts.bytes(password) <= Validation.MOST_PASSWORD_BYTES;
    }
}
