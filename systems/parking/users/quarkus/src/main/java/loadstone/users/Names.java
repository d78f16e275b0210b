package loadstone.users;

/** Names as answers have them. */
final class Names {

    private Names() {}

    static String full(String firstName, String lastName) {
        return firstName + " " + lastName;
    }
}
