package loadstone.booking;

import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The table of reservations. Each method is one statement. */
@Singleton
final class Reservations {

    /** Gives the times that are taken between two instants, in order. */
    Uni<List<Span>> taken(Lease lease, long facilityId, Instant from, Instant to) {
        return lease.list(
                Sql.TAKEN, Rows::span, facilityId, Rows.parameter(from), Rows.parameter(to));
    }

    /** Gives nothing where another is in the time. */
    Uni<Optional<Reservation>> insert(
            Lease lease, ReservationBody body, Facility facility, long playerId) {
        return lease.optional(
                Sql.RESERVE,
                Rows::reservation,
                facility.id(),
                playerId,
                Rows.parameter(body.startsAt()),
                Rows.parameter(Grid.end(facility, body)),
                Grid.price(facility, body));
    }

    Uni<Optional<OwnedReservation>> find(Lease lease, long id) {
        return lease.optional(Sql.RESERVATION, Rows::ownedReservation, id);
    }

    /** A player's own, an owner's of own clubs. */
    Uni<List<Reservation>> list(Lease lease, Caller caller, ReservationFilter filter, Page page) {
        return lease.list(Selection.reservations(caller, filter, page), Rows::reservation);
    }

    /** Gives nothing where it is not pending. */
    Uni<Optional<Reservation>> decide(Lease lease, Reservation found, String status) {
        return lease.optional(Sql.DECIDE, Rows::reservation, found.id(), status);
    }

    /** Gives nothing where it is neither pending nor accepted. */
    Uni<Optional<Reservation>> cancel(Lease lease, Reservation found) {
        return lease.optional(Sql.CANCEL, Rows::reservation, found.id());
    }
}
