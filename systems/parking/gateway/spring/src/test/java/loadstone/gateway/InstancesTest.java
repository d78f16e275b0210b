package loadstone.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InstancesTest {

    private static final Set<String> NONE = Set.of();

    private long now = Long.MAX_VALUE - 1; // a clock that is about to begin anew
    private final Instances instances = new Instances(() -> now);

    @Test
    void eachIsNextInTurn() {
        instances.replace(List.of("a", "b", "c"));
        assertEquals(List.of("a", "b", "c"), List.of(next(NONE), next(NONE), next(NONE)));
        assertEquals("a", next(NONE));
    }

    @Test
    void oneThatFailedIsLeftOutForTwoSeconds() {
        instances.replace(List.of("a", "b"));
        instances.leaveOut("a");
        assertEquals(List.of("b", "b"), List.of(next(NONE), next(NONE)));
        now += Duration.ofMillis(1_999).toNanos();
        assertEquals(List.of("b", "b"), List.of(next(NONE), next(NONE)));
        now += Duration.ofMillis(1).toNanos();
        assertEquals(Set.of("a", "b"), Set.of(next(NONE), next(NONE)));
    }

    @Test
    void thoseThatWereTriedAreNotNext() {
        instances.replace(List.of("a", "b", "c"));
        assertEquals("c", next(Set.of("a", "b")));
        instances.leaveOut("c");
        assertNull(next(Set.of("a", "b")));
    }

    @Test
    void aListTakesThePlaceOfTheOneBefore() {
        assertFalse(instances.isKnown());
        assertNull(next(NONE));
        instances.replace(List.of());
        assertTrue(instances.isKnown());
        assertNull(next(NONE));
        instances.replace(List.of("a", "a"));
        assertEquals("a", next(NONE));
        assertNull(next(Set.of("a")));
    }

    private String next(Set<String> tried) {
        return instances.next(tried);
    }
}
