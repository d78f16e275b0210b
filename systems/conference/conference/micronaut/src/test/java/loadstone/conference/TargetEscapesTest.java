package loadstone.conference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetEscapesTest {

    @Test
    void aTargetThatIsAUriIsLeftAsItIs() {
        String target = "/conferences/a%2Fb~'()*?limit=1&after=%C3%A9";
        assertSame(target, TargetEscapes.escape(target));
    }

    @ParameterizedTest
    @CsvSource({
        "/a?b=${7*7}, /a?b=$%7B7*7%7D",
        "/%zz, /%25zz",
        "/%4, /%254",
        "/%, /%25",
        "/a\u00C3#b, /a%C3%23b",
    })
    void whatIsNotOfUrisIsEscaped(String target, String escaped) {
        assertEquals(escaped, TargetEscapes.escape(target));
    }
}
