package loadstone.users;

/** The coins of a user whose row is locked. */
record Balance(long userId, int coins) {

    /** Whether the balance may be so many coins more. */
    boolean admits(int amount) {
        long sum = (long) coins + amount;
        return sum >= 0 && sum <= Integer.MAX_VALUE;
    }
}
