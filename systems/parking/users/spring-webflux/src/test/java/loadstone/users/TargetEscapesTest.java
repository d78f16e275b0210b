package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetEscapesTest {

    @Test
    void aUriStaysAsItIs() {
        String target = "/clubs?q=a+%C3%A9&x=$'()*,;:@/?~";
        assertSame(target, TargetEscapes.escape(target));
    }

    @ParameterizedTest
    @CsvSource({
        "/clubs/{id}, /clubs/%7Bid%7D",
        "/clubs/%zz, /clubs/%25zz",
        "/clubs/%, /clubs/%25",
        "/clubs?q=é, /clubs?q=%E9",
        "/clubs#a, /clubs%23a",
    })
    void anythingElseIsEscaped(String target, String escaped) {
        assertEquals(escaped, TargetEscapes.escape(target));
    }
}
