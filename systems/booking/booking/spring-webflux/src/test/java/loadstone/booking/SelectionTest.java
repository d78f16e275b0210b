package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelectionTest {

    private static final Page PAGE = new Page(20, 7);

    @Test
    void partsStandWhereTheirParameterIsGiven() {
        var none = Selection.clubs(new ClubFilter(null, null, null), PAGE);
        assertTrue(none.text().endsWith(" WHERE id > $1 ORDER BY id LIMIT $2"), none.text());
        assertEquals(List.of(7L, 21), none.values());
        var two = Selection.clubs(new ClubFilter(3L, null, "%a%"), PAGE);
        String end = " WHERE id > $1 AND owner_id = $2 AND name ILIKE $3 ORDER BY id LIMIT $4";
        assertTrue(two.text().endsWith(end), two.text());
        assertEquals(List.of(7L, 3L, "%a%", 21), two.values());
    }

    @Test
    void aParameterMayStandMoreThanOnce() {
        Instant at = Instant.parse("2040-03-10T10:00:00Z");
        var free = Selection.facilities(new FacilityFilter("padel", null, null, at), PAGE);
        assertTrue(free.text().contains("f.opens <= $3 AND $3 + f.slot_minutes"), free.text());
        assertTrue(free.text().contains("tstzrange($4::timestamptz,"), free.text());
        assertEquals(
                List.of(7L, "padel", 600, OffsetDateTime.parse("2040-03-10T10:00:00Z"), 21),
                free.values());
    }

    @Test
    void theClubIsJoinedWhereItIsAskedFor() {
        var all = Selection.facilities(new FacilityFilter(null, null, null, null), PAGE);
        assertFalse(all.text().contains("JOIN"), all.text());
        var city = Selection.facilities(new FacilityFilter(null, "Norvale", null, null), PAGE);
        assertTrue(city.text().contains("JOIN club c"), city.text());
        assertTrue(city.text().contains("AND c.city = $2"), city.text());
    }

    @Test
    void theRoleDecidesWhoseReservationsTheyAre() {
        var filter = new ReservationFilter(5L, "pending");
        var own = Selection.reservations(new Caller(9, Role.PLAYER), filter, PAGE);
        String end =
                " WHERE r.id < $1 AND r.player_id = $2 AND r.facility_id = $3 AND r.status = $4"
                        + " ORDER BY r.id DESC LIMIT $5";
        assertTrue(own.text().endsWith(end), own.text());
        assertEquals(List.of(7L, 9L, 5L, "pending", 21), own.values());
        var ofClubs = Selection.reservations(new Caller(9, Role.OWNER), filter, PAGE);
        assertTrue(ofClubs.text().contains(" AND c.owner_id = $2 "), ofClubs.text());
    }
}
