package loadstone.users;

/** What `login` reads of a user. */
record Account(
        long id,
        String firstName,
        String lastName,
        String passwordHash,
        Role role,
        UserStatus status) {

    String name() {
        return Names.full(firstName, lastName);
    }
}
