package loadstone.users;

/** How a user pays, as it is answered. */
record PaymentMethodAnswer(PaymentMethod paymentMethod) {}
