package loadstone.booking;

import jakarta.persistence.EntityManagerFactory;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.springframework.stereotype.Component;

/** What Spring Data has no method for: an INSERT that is its own transaction. */
@Component
class Insertion {

    private final SessionFactory sessions;

    Insertion(EntityManagerFactory factory) {
        this.sessions = factory.unwrap(SessionFactory.class);
    }

    /** Inserts, and reads what the database set by itself from the answer to it. */
    void insert(Object entity) {
        try (StatelessSession session = sessions.openStatelessSession()) {
            session.insert(entity);
        }
    }
}
