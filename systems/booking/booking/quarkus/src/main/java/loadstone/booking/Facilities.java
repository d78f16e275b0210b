package loadstone.booking;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import org.hibernate.Session;

/** The data access to facilities. */
@Singleton
class Facilities implements PanacheRepositoryBase<FacilityEntity, Long> {

    private static final String COLUMNS =
            "f.id, f.club_id, f.name, f.sport, f.slot_minutes, f.opens, f.closes, f.price_cents,"
                    + " f.retired_at, f.created_at";

    /** In SQL, since JPQL has no ranges of time. */
    private static final String IS_FREE =
            " AND f.opens <= :minute AND :minute + f.slot_minutes <= f.closes"
                    + " AND (:minute - f.opens) % f.slot_minutes = 0"
                    + " AND NOT EXISTS (SELECT 1 FROM reservation r WHERE r.facility_id = f.id"
                    + " AND r.status IN ('pending', 'accepted')"
                    + " AND tstzrange(r.starts_at, r.ends_at) &&"
                    + " tstzrange(cast(:start AS timestamptz), cast(:start AS timestamptz)"
                    + " + f.slot_minutes * interval '1 minute'))";

    private final Session session;

    Facilities(Session session) {
        this.session = session;
    }

    /** Those that are not retired. */
    List<Facility> list(FacilityFilter filter, Page page) {
        var conditions =
                new Conditions("f.id > :after and f.retired_at IS NULL", "after", page.after())
                        .and("f.sport = :sport", "sport", filter.sport())
                        .and("c.city = :city", "city", filter.city())
                        .and("f.club_id = :club", "club", filter.clubId());
        var text = new StringBuilder("SELECT ").append(COLUMNS).append(" FROM facility f");
        if (filter.city() != null) {
            text.append(" JOIN club c ON c.id = f.club_id");
        }
        text.append(" WHERE ").append(conditions.text());
        if (filter.freeAt() != null) {
            text.append(IS_FREE);
            conditions.values().put("minute", filter.minute());
            conditions.values().put("start", filter.start());
        }
        text.append(" ORDER BY f.id LIMIT :rows");
        var query = session.createNativeQuery(text.toString(), FacilityEntity.class);
        conditions.values().forEach(query::setParameter);
        return query.setParameter("rows", page.rows()).getResultList().stream()
                .map(FacilityEntity::answer)
                .toList();
    }

    /** In a transaction. */
    Facility insert(FacilityBody body, long clubId) {
        var facility = new FacilityEntity(clubId, body);
        persist(facility);
        return facility.answer();
    }

    Optional<Facility> find(long id) {
        return find("id", id).singleResultOptional().map(FacilityEntity::answer);
    }

    boolean exists(long id) {
        return session.createSelectionQuery(
                        "select 1 from FacilityEntity where id = :id", Integer.class)
                .setParameter("id", id)
                .uniqueResultOptional()
                .isPresent();
    }

    /** Gives a facility, and who owns its club. */
    Optional<OwnedFacility> findOwned(long id) {
        return session.createSelectionQuery(
                        "select f, c.ownerId from FacilityEntity f"
                                + " join ClubEntity c on c.id = f.clubId where f.id = :id",
                        Object[].class)
                .setParameter("id", id)
                .uniqueResultOptional()
                .map(row -> new OwnedFacility(((FacilityEntity) row[0]).answer(), (Long) row[1]));
    }

    /** By a statement, since Hibernate makes none for an entity that stays as it is. */
    Facility update(Facility facility, FacilityBody body) {
        update(
                "name = ?1, sport = ?2, slotMinutes = ?3, opens = ?4, closes = ?5, priceCents = ?6"
                        + " where id = ?7",
                body.name(),
                body.sport(),
                body.slotMinutes(),
                body.opens(),
                body.closes(),
                body.priceCents(),
                facility.id());
        return new Facility(
                facility.id(),
                facility.clubId(),
                body.name(),
                body.sport(),
                body.slotMinutes(),
                body.opens(),
                body.closes(),
                body.priceCents(),
                facility.retired(),
                facility.createdAt());
    }

    /** Keeps the time of the first. */
    void retire(Facility facility) {
        update("retiredAt = coalesce(retiredAt, instant) where id = ?1", facility.id());
    }
}
