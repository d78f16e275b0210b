package loadstone.booking;

import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of clubs. Each method is one statement. */
@Repository
class Clubs {

    private static final String COLUMNS = "id, owner_id, name, city, description, created_at";

    private final JdbcClient jdbc;

    Clubs(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    List<Club> list(ClubFilter filter, Page page) {
        return new Selection("SELECT " + COLUMNS + " FROM club WHERE id > :after")
                .with("after", page.after())
                .and("owner_id = :ownerId", "ownerId", filter.ownerId())
                .and("city = :city", "city", filter.city())
                .and("name ILIKE :pattern", "pattern", filter.pattern())
                .end("id", page.rows())
                .list(jdbc, Rows::club);
    }

    Club insert(ClubBody body, long ownerId) {
        return jdbc.sql(
                        "INSERT INTO club (owner_id, name, city, description)"
                                + " VALUES (:ownerId, :name, :city, :description)"
                                + " RETURNING "
                                + COLUMNS)
                .param("ownerId", ownerId)
                .param("name", body.name())
                .param("city", body.city())
                .param("description", body.description())
                .query(Rows::club)
                .single();
    }

    Optional<Club> find(long id) {
        return jdbc.sql("SELECT " + COLUMNS + " FROM club WHERE id = :id")
                .param("id", id)
                .query(Rows::club)
                .optional();
    }

    Optional<Long> findOwner(long id) {
        return jdbc.sql("SELECT owner_id FROM club WHERE id = :id")
                .param("id", id)
                .query(Long.class)
                .optional();
    }

    Optional<Club> update(long id, ClubBody body) {
        return jdbc.sql(
                        "UPDATE club SET name = :name, city = :city, description = :description"
                                + " WHERE id = :id RETURNING "
                                + COLUMNS)
                .param("id", id)
                .param("name", body.name())
                .param("city", body.city())
                .param("description", body.description())
                .query(Rows::club)
                .optional();
    }
}
