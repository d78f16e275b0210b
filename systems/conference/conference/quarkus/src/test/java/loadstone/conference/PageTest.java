package loadstone.conference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageTest {

    private static final List<Conference> THREE =
            List.of(new Conference("a", "1"), new Conference("b", "2"), new Conference("c", "3"));

    @Test
    void withoutItsParametersTheListIsWhole() {
        assertNull(Page.of(null));
        assertNull(Page.of("other=1&limits=%zz"));
    }

    @Test
    void aPageIsALimitAndAnId() {
        assertEquals(new Page(1000, ""), Page.of("limit=1000"));
        assertEquals(new Page(7, "a.b"), Page.of("after=a%2Eb&x&limit=7"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limit",
                "limit=",
                "limit=0",
                "limit=01",
                "limit=1001",
                "limit=-1",
                "limit=x",
                "limit=%zz",
                "after=a",
                "limit=1&after=",
                "limit=1&after=%27"
            })
    void anythingElseIsRefused(String query) {
        Refusal refusal = assertThrows(Refusal.class, () -> Page.of(query));
        assertEquals(Problem.MALFORMED_PAGE, refusal.problem());
    }

    @Test
    void aRowMoreThanTheLimitIsTheNextPage() {
        var page = new Page(2, "");
        assertEquals(3, page.rows());
        assertEquals(THREE.subList(0, 2), page.cut(THREE));
        assertEquals("</path?limit=2&after=b>; rel=\"next\"", page.link("/path", THREE));
    }

    @Test
    void theLastPageHasNoNext() {
        var page = new Page(3, "");
        assertEquals(THREE, page.cut(THREE));
        assertNull(page.link("/path", THREE));
    }
}
