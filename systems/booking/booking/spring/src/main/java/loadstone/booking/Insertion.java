package loadstone.booking;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import org.springframework.stereotype.Component;

/** What Spring Data has no method for: an INSERT that is its own transaction. */
@Component
class Insertion {

    private final EntityManagerFactory factory;

    Insertion(EntityManagerFactory factory) {
        this.factory = factory;
    }

    /**
     * Persists without a transaction, whose BEGIN and COMMIT would be two statements more. Spring's
     * shared entity manager does not persist outside of one, so this is another. What the database
     * sets by itself is read from the answer: a stateless session would read the id alone.
     */
    void insert(Object entity) {
        try (EntityManager manager = factory.createEntityManager()) {
            manager.persist(entity);
            manager.flush();
        }
    }
}
