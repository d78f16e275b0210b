package loadstone.users;

/** In rows as the place in this order. */
enum PaymentMethod {
    CREDIT,
    DEBIT,
    PAYPAL,
    NOT_DEFINED
}
