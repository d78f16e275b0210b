package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ConditionsTest {

    @Test
    void aConditionWithoutAValueIsLeftOut() {
        var conditions =
                new Conditions("id > :after", "after", 7L)
                        .and("city = :city", "city", null)
                        .and("sport = :sport", "sport", "padel");
        assertEquals("id > :after and sport = :sport", conditions.text());
        assertEquals(Map.of("after", 7L, "sport", "padel"), conditions.values());
    }
}
