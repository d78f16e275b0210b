package loadstone.conference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerJsonTest {

    @Test
    void anEmptyListIsOne() {
        assertEquals("[]", text(AnswerJson.conferences(List.of())));
        assertEquals("[]", text(AnswerJson.conferencesWithCountry(List.of())));
    }

    @Test
    void membersAreInTheirOrder() {
        var conference = new Conference("a", "b");
        assertEquals("{\"id\":\"a\",\"name\":\"b\"}", text(AnswerJson.conference(conference)));
        assertEquals(
                "[{\"id\":\"a\",\"name\":\"b\"},{\"id\":\"a\",\"name\":\"b\"}]",
                text(AnswerJson.conferences(List.of(conference, conference))));
        assertEquals(
                "[{\"name\":\"b\",\"country\":\"c\"}]",
                text(
                        AnswerJson.conferencesWithCountry(
                                List.of(new ConferenceWithCountry("b", "c")))));
    }

    @Test
    void nothingIsEscapedThatNeedNotBe() {
        assertEquals(
                "{\"id\":\"a\",\"name\":\"\\\"\\\\/é漢😀\"}",
                text(AnswerJson.conference(new Conference("a", "\"\\/é漢😀"))));
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }
}
