package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpringBcryptTest {

    /** Of `court-side-2040`, made by another implementation. */
    private static final String SEED = "$04$courtsidecourtsidecouuDPA1CyCaj1RGbCiy4psmRUKp0EtfvEq";

    private final Bcrypt bcrypt = new SpringBcrypt();

    @ParameterizedTest
    @ValueSource(strings = {"$2a", "$2b"})
    void bothVersionsAreVerified(String version) {
        assertTrue(bcrypt.fits("court-side-2040", version + SEED));
        assertFalse(bcrypt.fits("court-side-2041", version + SEED));
    }

    @Test
    void aNewHashHasTheCost() {
        String hash = bcrypt.hash("é".repeat(36), 4);
        assertTrue(hash.startsWith("$2b$04$"), hash);
        assertTrue(bcrypt.fits("é".repeat(36), hash));
        assertFalse(bcrypt.fits("é".repeat(35) + "aa", hash));
    }

    @Test
    void nobodysHashIsOne() {
        assertFalse(bcrypt.fits("any password", "$2b$04$" + ".".repeat(53)));
    }
}
