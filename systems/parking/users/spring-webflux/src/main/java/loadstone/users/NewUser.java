package loadstone.users;

/** What `create-user` is given. */
record NewUser(
        String firstName,
        String lastName,
        String email,
        String password,
        int nif,
        Vehicle vehicle,
        PaymentMethod paymentMethod) {}
