package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperationTest {

    /** Of user 4: who has it as an own id, then who has another, by role. */
    @ParameterizedTest
    @CsvSource({
        "LIST_USERS, CUSTOMER, false, false",
        "LIST_USERS, SUPERVISOR, true, true",
        "LIST_USERS, CUSTOMER_MANAGER, true, true",
        "LIST_USERS, PARK_MANAGER, false, false",
        "TOP_COINS, SUPERVISOR, true, true",
        "TOP_COINS, DEVICE, false, false",
        "GRANT_COINS, CUSTOMER_MANAGER, true, true",
        "GRANT_COINS, SUPERVISOR, false, false",
        "GET_USER, CUSTOMER, true, false",
        "GET_USER, SUPERVISOR, true, true",
        "GET_USER, PARK_MANAGER, true, false",
        "SET_STATUS, SUPERVISOR, true, true",
        "SET_STATUS, CUSTOMER_MANAGER, false, false",
        "VEHICLES, SUPERVISOR, true, false",
        "PUT_VEHICLE, CUSTOMER, true, false",
        "PUT_VEHICLE, SUPERVISOR, false, false",
        "PAYMENT_METHOD, CUSTOMER_MANAGER, true, false",
        "SET_PAYMENT_METHOD, DEVICE, true, false",
        "WALLET, CUSTOMER, true, false",
        "WALLET, CUSTOMER_MANAGER, true, true",
        "WALLET, SUPERVISOR, true, false",
    })
    void rolesAndOwnersAreLetIn(Operation operation, Role role, boolean own, boolean other) {
        assertEquals(own, operation.access().admits(new Caller(4, role), 4));
        assertEquals(other, operation.access().admits(new Caller(5, role), 4));
    }

    @Test
    void fourNeedNoIdentity() {
        for (Operation operation : Operation.values()) {
            boolean isOpen =
                    switch (operation) {
                        case CREATE_USER, LOGIN, DEBIT, HEALTH -> true;
                        default -> false;
                    };
            assertEquals(!isOpen, operation.access().needsIdentity(), operation.text());
        }
    }

    @Test
    void theNameIsThatOfTheSpecification() {
        assertEquals("set-payment-method", Operation.SET_PAYMENT_METHOD.text());
    }
}
