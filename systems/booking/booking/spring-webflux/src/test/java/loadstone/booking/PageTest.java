package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageTest {

    private static final List<Long> THREE = List.of(1L, 20L, 300L);

    @Test
    void aListBeginsAtItsEnd() {
        assertEquals(new Page(20, 0), Page.ascending(Query.of(null)));
        assertEquals(new Page(100, Long.MAX_VALUE), Page.descending(Query.of("limit=100")));
    }

    @Test
    void aCursorIsTheTextOfAnId() {
        assertEquals(new Page(7, 20), Page.ascending(Query.of("cursor=MjA&limit=7")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limit=",
                "limit=0",
                "limit=05",
                "limit=101",
                "limit=-1",
                "limit=x",
                "limit=+5",
                "cursor=",
                "cursor=20",
                "cursor=MjA%3D",
                "cursor=MjB",
                "cursor=MDE",
                "cursor=MA",
                "cursor=eA",
                "cursor=%C3%A9",
                "cursor=MTIzNDU2Nzg5MDEyMzQ1Njc",
            })
    void anythingElseIsMalformed(String query) {
        Refusal refusal = assertThrows(Refusal.class, () -> Page.ascending(Query.of(query)), query);
        assertEquals(Problem.MALFORMED, refusal.problem());
    }

    @Test
    void aRowMoreThanTheLimitIsTheNextPage() {
        var page = new Page(2, 0);
        assertEquals(3, page.rows());
        assertEquals(new Listing<>(List.of(1L, 20L), "MjA"), page.listing(THREE, Long::longValue));
    }

    @Test
    void theLastPageHasNoNext() {
        assertEquals(new Listing<>(THREE, null), new Page(3, 0).listing(THREE, Long::longValue));
    }
}
