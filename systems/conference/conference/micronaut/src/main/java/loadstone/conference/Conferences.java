package loadstone.conference;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.annotation.Repository;
import io.micronaut.data.model.Limit;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;

/** The data access. Each method is one statement, in autocommit. */
@Repository
interface Conferences extends GenericRepository<Conference, String> {

    List<Conference> listOrderById();

    List<Conference> findByIdGreaterThanOrderById(String after, Limit limit);

    Optional<Conference> findById(String id);

    /** Persists it, as Micronaut Data has it of new entities, without a look before. */
    void insert(Conference conference);

    /** Gives how many rows have the id. */
    @Query("update Conference c set c.name = :name where c.id = :id")
    int replace(String id, String name);

    /** Gives how many rows had the id. In SQL, since JPQL becomes the syntax for several tables. */
    @Query(value = "DELETE FROM conferences WHERE id = :id", nativeQuery = true)
    int remove(String id);
}
