package loadstone.conference;

import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/** The data access. Each method is one statement, in autocommit. */
interface Conferences extends Repository<Conference, String>, Insertion {

    List<Conference> findAllByOrderById();

    List<Conference> findByIdGreaterThanOrderById(String after, Limit limit);

    Optional<Conference> findById(String id);

    /** Gives how many rows have the id. */
    @Modifying
    @Query("update Conference c set c.name = :name where c.id = :id")
    int replace(String id, String name);

    /** Gives how many rows had the id. In SQL, since JPQL becomes the syntax for several tables. */
    @Modifying
    @Query(value = "DELETE FROM conferences WHERE id = :id", nativeQuery = true)
    int remove(String id);
}
