package loadstone.booking;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import io.quarkus.panache.common.Sort;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import org.hibernate.Session;

/** The data access to clubs. */
@Singleton
class Clubs implements PanacheRepositoryBase<ClubEntity, Long> {

    private final Session session;

    Clubs(Session session) {
        this.session = session;
    }

    List<Club> list(ClubFilter filter, Page page) {
        var conditions =
                new Conditions("id > :after", "after", page.after())
                        .and("ownerId = :owner", "owner", filter.ownerId())
                        .and("city = :city", "city", filter.city())
                        .and("name ilike :pattern escape '\\'", "pattern", filter.pattern());
        return find(conditions.text(), Sort.by("id"), conditions.values())
                .range(0, page.rows() - 1)
                .list()
                .stream()
                .map(ClubEntity::answer)
                .toList();
    }

    /**
     * In SQL: the session of Quarkus does not persist outside of a transaction, which would add a
     * BEGIN and a COMMIT.
     */
    Club insert(ClubBody body, long ownerId) {
        return session.createNativeQuery(
                        "INSERT INTO club (owner_id, name, city, description)"
                                + " VALUES (:owner, :name, :city, :description)"
                                + " RETURNING id, owner_id, name, city, description, created_at",
                        ClubEntity.class)
                .setParameter("owner", ownerId)
                .setParameter("name", body.name())
                .setParameter("city", body.city())
                .setParameter("description", body.description())
                .getSingleResult()
                .answer();
    }

    Optional<Club> find(long id) {
        return find("id", id).singleResultOptional().map(ClubEntity::answer);
    }

    /** By a statement, since Hibernate makes none for an entity that stays as it is. */
    Club update(Club club, ClubBody body) {
        update(
                "name = ?1, city = ?2, description = ?3 where id = ?4",
                body.name(),
                body.city(),
                body.description(),
                club.id());
        return new Club(
                club.id(),
                club.ownerId(),
                body.name(),
                body.city(),
                body.description(),
                club.createdAt());
    }
}
