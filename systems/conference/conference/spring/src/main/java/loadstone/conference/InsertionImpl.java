package loadstone.conference;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;

/** Found by Spring Data by its name. */
class InsertionImpl implements Insertion {

    private final EntityManagerFactory factory;

    InsertionImpl(EntityManagerFactory factory) {
        this.factory = factory;
    }

    /**
     * Persists without a transaction, since one statement in autocommit is all there is to do: a
     * transaction of JPA would add three statements to it. Spring's shared entity manager does not
     * persist outside of one, so this is another.
     */
    @Override
    public void insert(Conference conference) {
        try (EntityManager manager = factory.createEntityManager()) {
            manager.persist(conference);
            manager.flush();
        }
    }
}
