package loadstone.booking;

import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The table of facilities. Each method is one statement. */
@Component
class Facilities {

    /** In SQL, since the language of Hibernate has no ranges, whose index answers it. */
    private static final String LIST =
            """
            SELECT f.id, f.club_id, f.name, f.sport, f.slot_minutes, f.opens, f.closes,
              f.price_cents, f.retired_at, f.created_at
            FROM facility f %s WHERE f.id > :after AND f.retired_at IS NULL\
            """;

    private static final String CLUB = "JOIN club c ON c.id = f.club_id";

    /** That a slot begins at the minute. */
    private static final String HAS_SLOT =
            "f.opens <= :minute AND :minute + f.slot_minutes <= f.closes"
                    + " AND (:minute - f.opens) % f.slot_minutes = 0";

    private static final String IS_FREE =
            """
            NOT EXISTS (SELECT 1 FROM reservation r
              WHERE r.facility_id = f.id AND r.status IN ('pending', 'accepted')
              AND tstzrange(r.starts_at, r.ends_at)
                && tstzrange(CAST(:start AS timestamptz),
                  CAST(:start AS timestamptz) + f.slot_minutes * interval '1 minute'))\
            """;

    private final FacilityRepository repository;
    private final EntityManager manager;

    Facilities(FacilityRepository repository, EntityManager manager) {
        this.repository = repository;
        this.manager = manager;
    }

    /** Leaves out those that are retired. */
    List<Facility> list(FacilityFilter filter, Page page) {
        var selection =
                new Selection<>(
                                FacilityEntity.class,
                                LIST.formatted(filter.city() == null ? "" : CLUB))
                        .with("after", page.after())
                        .and("f.sport = :sport", "sport", filter.sport())
                        .and("c.city = :city", "city", filter.city())
                        .and("f.club_id = :clubId", "clubId", filter.clubId());
        if (filter.freeAt() != null) {
            selection
                    .and(HAS_SLOT, "minute", filter.minute())
                    .and(IS_FREE, "start", filter.start());
        }
        return selection.end("f.id", page.rows()).listInSql(manager).stream()
                .map(FacilityEntity::toFacility)
                .toList();
    }

    Optional<Facility> find(long id) {
        return repository.findById(id).map(FacilityEntity::toFacility);
    }

    boolean exists(long id) {
        return repository.existsById(id);
    }

    /** Gives what a transaction may change, with its club. */
    Optional<FacilityEntity> load(long id) {
        return repository.findWithClub(id);
    }

    /** Inserts in the transaction of the club. */
    Facility insert(FacilityBody body, ClubEntity club) {
        var entity = new FacilityEntity(body, club);
        manager.persist(entity);
        return entity.toFacility();
    }
}
