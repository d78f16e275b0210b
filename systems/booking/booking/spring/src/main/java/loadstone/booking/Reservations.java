package loadstone.booking;

import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The table of reservations. Each method is one statement. */
@Component
class Reservations {

    private final ReservationRepository repository;
    private final EntityManager manager;
    private final JdbcClient jdbc;

    Reservations(ReservationRepository repository, EntityManager manager, JdbcClient jdbc) {
        this.repository = repository;
        this.manager = manager;
        this.jdbc = jdbc;
    }

    /** Gives the times that are taken between two instants, in order. */
    List<Span> taken(long facilityId, Instant from, Instant to) {
        return repository.findLiving(facilityId, from, to).stream()
                .map(ReservationEntity::toSpan)
                .toList();
    }

    /** Gives nothing where another is in the time. The transaction can then only be rolled back. */
    Optional<Reservation> insert(ReservationBody body, Facility facility, long playerId) {
        var entity =
                new ReservationEntity(
                        manager.getReference(FacilityEntity.class, facility.id()),
                        playerId,
                        body.startsAt(),
                        Grid.end(facility, body),
                        Grid.price(facility, body));
        try {
            manager.persist(entity);
        } catch (RuntimeException e) {
            if (Conflict.isIn(e)) {
                return Optional.empty();
            }
            throw e;
        }
        return Optional.of(entity.toReservation());
    }

    Optional<OwnedReservation> find(long id) {
        return repository
                .findOwned(id)
                .map(
                        row ->
                                new OwnedReservation(
                                        row.getReservation().toReservation(), row.getOwnerId()));
    }

    List<Reservation> listOfPlayer(long playerId, ReservationFilter filter, Page page) {
        return list("", "r.playerId", playerId, filter, page);
    }

    List<Reservation> listOfOwner(long ownerId, ReservationFilter filter, Page page) {
        return list(" join r.facility f join f.club c", "c.ownerId", ownerId, filter, page);
    }

    private List<Reservation> list(
            String joins, String attribute, long accountId, ReservationFilter filter, Page page) {
        return new Selection<>(
                        ReservationEntity.class,
                        "select r from ReservationEntity r"
                                + joins
                                + " where r.id < :before and "
                                + attribute
                                + " = :accountId")
                        .with("before", page.after())
                        .with("accountId", accountId)
                        .and("r.facility.id = :facilityId", "facilityId", filter.facilityId())
                        .and("r.status = :status", "status", filter.status())
                        .end("r.id desc", page.rows())
                        .list(manager)
                        .stream()
                        .map(ReservationEntity::toReservation)
                        .toList();
    }

    /** Gives nothing where it is not pending. */
    Optional<Reservation> decide(Reservation found, String status) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        return repository.decide(found.id(), status, now) == 0
                ? Optional.empty()
                : Optional.of(changed(found, status, now));
    }

    /**
     * Gives nothing where it is neither pending nor accepted. In SQL and in JPA's transaction: it
     * may have been decided since it was found, and an UPDATE of Hibernate's gives no rows back.
     */
    Optional<Reservation> cancel(Reservation found) {
        return jdbc.sql(
                        """
                        UPDATE reservation SET status = 'cancelled'
                        WHERE id = :id AND status IN ('pending', 'accepted')
                        RETURNING decided_at
                        """)
                .param("id", found.id())
                .query((row, number) -> changed(found, "cancelled", Rows.decidedAt(row)))
                .optional();
    }

    /** As it was found, but for these two. */
    private static Reservation changed(Reservation found, String status, Instant decidedAt) {
        return new Reservation(
                found.id(),
                found.facilityId(),
                found.playerId(),
                found.startsAt(),
                found.endsAt(),
                status,
                found.priceCents(),
                found.createdAt(),
                decidedAt);
    }
}
