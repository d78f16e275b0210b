package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FavreBcryptTest {

    private static final Bcrypt BCRYPT = new FavreBcrypt();

    /** The seed's, of `court-side-2040`. */
    private static final String REST = "04$courtsidecourtsidecouuDPA1CyCaj1RGbCiy4psmRUKp0EtfvEq";

    @ParameterizedTest
    @ValueSource(strings = {"$2a$", "$2b$"})
    void hashesOfOthersAreVerified(String version) {
        assertTrue(BCRYPT.fits("court-side-2040", version + REST));
        assertFalse(BCRYPT.fits("court-side-2041", version + REST));
    }

    @Test
    void aHashNamesItsCost() {
        String hash = BCRYPT.hash("password", 5);
        assertTrue(hash.matches("\\$2b\\$05\\$[./A-Za-z0-9]{53}"), hash);
        assertTrue(BCRYPT.fits("password", hash));
    }

    @Test
    void all72BytesCount() {
        String most = "é".repeat(36);
        String hash = BCRYPT.hash(most, 4);
        assertTrue(BCRYPT.fits(most, hash));
        assertFalse(BCRYPT.fits("é".repeat(35) + "è", hash));
    }

    @Test
    void aHashOfNobodyIsOne() {
        assertFalse(BCRYPT.fits("any password", "$2b$04$" + ".".repeat(53)));
    }
}
