package loadstone.conference;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import io.quarkus.panache.common.Sort;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;

/** The data access. Each method is one statement, in autocommit. */
@Singleton
class Conferences implements PanacheRepositoryBase<Conference, String> {

    private final SessionFactory sessions;

    Conferences(SessionFactory sessions) {
        this.sessions = sessions;
    }

    List<Conference> inOrder() {
        return listAll(Sort.by("id"));
    }

    List<Conference> inOrder(Page page) {
        return find("id > ?1", Sort.by("id"), page.after()).range(0, page.rows() - 1).list();
    }

    Optional<Conference> get(String id) {
        return findByIdOptional(id);
    }

    /**
     * Inserts without a transaction, since one statement in autocommit is all there is to do: one
     * of JTA would add three statements to it. The session of Quarkus does not persist outside of
     * one, so this is another.
     */
    void insert(Conference conference) {
        try (StatelessSession session = sessions.openStatelessSession()) {
            session.insert(conference);
        }
    }

    /** Gives how many rows have the id. */
    int replace(String id, String name) {
        return update("name = ?1 where id = ?2", name, id);
    }

    /** Gives how many rows had the id. In SQL, since JPQL becomes the syntax for several tables. */
    int remove(String id) {
        return getEntityManager()
                .createNativeQuery("DELETE FROM conferences WHERE id = ?1")
                .setParameter(1, id)
                .executeUpdate();
    }
}
