package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OperationTest {

    @Test
    void rolesAreLetIn() {
        assertTrue(Operation.RESERVE.access().admits(Role.PLAYER));
        assertFalse(Operation.RESERVE.access().admits(Role.OWNER));
        assertTrue(Operation.CREATE_CLUB.access().admits(Role.OWNER));
        assertFalse(Operation.CREATE_CLUB.access().admits(Role.PLAYER));
        assertTrue(Operation.ME.access().admits(Role.PLAYER));
        assertTrue(Operation.ME.access().admits(Role.OWNER));
    }

    @Test
    void fourNeedNoToken() {
        for (Operation operation : Operation.values()) {
            boolean isOpen =
                    switch (operation) {
                        case SIGN_UP, LOG_IN, LIVE, READY -> true;
                        default -> false;
                    };
            assertEquals(!isOpen, operation.needsToken(), operation.text());
        }
    }

    @Test
    void theNameIsThatOfTheSpecification() {
        assertEquals("list-reservations", Operation.LIST_RESERVATIONS.text());
    }
}
