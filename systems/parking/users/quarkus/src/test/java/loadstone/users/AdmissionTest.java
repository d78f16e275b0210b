package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdmissionTest {

    private static final List<String> SEVEN = List.of("7");
    private static final List<String> CUSTOMER = List.of("CUSTOMER");

    @Test
    void twoFieldsAreACaller() {
        assertEquals(new Caller(7, Role.CUSTOMER), Admission.caller(SEVEN, CUSTOMER));
        assertEquals(
                new Caller(9_999_999_999_999_999L, Role.DEVICE),
                Admission.caller(List.of("9999999999999999"), List.of("DEVICE")));
    }

    @Test
    void oneThatIsNotThereIsMissing() {
        assertRefused(Problem.TOKEN_MISSING, List.of(), CUSTOMER);
        assertRefused(Problem.TOKEN_MISSING, SEVEN, List.of());
    }

    @ParameterizedTest
    @CsvSource({
        "'', CUSTOMER",
        "0, CUSTOMER",
        "-1, CUSTOMER",
        "07, CUSTOMER",
        "abc, CUSTOMER",
        "12345678901234567, CUSTOMER",
        "'7,7', CUSTOMER",
        "7, ''",
        "7, customer",
        "7, ADMIN",
    })
    void anyOtherTextIsInvalid(String id, String role) {
        assertRefused(Problem.TOKEN_INVALID, List.of(id), List.of(role));
    }

    @Test
    void aFieldThatIsThereTwiceIsInvalid() {
        assertRefused(Problem.TOKEN_INVALID, List.of("7", "7"), CUSTOMER);
        assertRefused(Problem.TOKEN_INVALID, SEVEN, List.of("CUSTOMER", "CUSTOMER"));
    }

    private static void assertRefused(Problem problem, List<String> ids, List<String> roles) {
        Refusal refusal = assertThrows(Refusal.class, () -> Admission.caller(ids, roles));
        assertEquals(problem, refusal.problem());
    }
}
