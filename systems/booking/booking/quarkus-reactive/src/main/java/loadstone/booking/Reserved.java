package loadstone.booking;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/** What `reserve` answers: the body as it is kept under a key, where there is one. */
record Reserved(long id, String body, boolean isReplayed) {

    static Reserved now(Reservation reservation, Json json) {
        String body = new String(json.write(reservation), StandardCharsets.UTF_8);
        return new Reserved(reservation.id(), body, false);
    }

    /** Of a body that was kept. */
    static Reserved before(String body, Json json) {
        try {
            Object id = ((Map<?, ?>) json.read(body)).get("id");
            return new Reserved(((Number) id).longValue(), body, true);
        } catch (Json.Malformed e) {
            throw new IllegalStateException("what is kept under a key is no reservation", e);
        }
    }

    String location() {
        return "/reservations/" + id;
    }
}
