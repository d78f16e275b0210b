package loadstone.booking;

import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The table of clubs. Each method is one statement. */
@Component
class Clubs {

    private final ClubRepository repository;
    private final Insertion insertion;
    private final EntityManager manager;

    Clubs(ClubRepository repository, Insertion insertion, EntityManager manager) {
        this.repository = repository;
        this.insertion = insertion;
        this.manager = manager;
    }

    List<Club> list(ClubFilter filter, Page page) {
        return new Selection<>(ClubEntity.class, "select c from ClubEntity c where c.id > :after")
                        .with("after", page.after())
                        .and("c.ownerId = :ownerId", "ownerId", filter.ownerId())
                        .and("c.city = :city", "city", filter.city())
                        .and("c.name ilike :pattern escape '\\'", "pattern", filter.pattern())
                        .end("c.id", page.rows())
                        .list(manager)
                        .stream()
                        .map(ClubEntity::toClub)
                        .toList();
    }

    Club insert(ClubBody body, long ownerId) {
        var entity = new ClubEntity(body, ownerId);
        insertion.insert(entity);
        return entity.toClub();
    }

    Optional<Club> find(long id) {
        return load(id).map(ClubEntity::toClub);
    }

    /** Gives what a transaction may change. */
    Optional<ClubEntity> load(long id) {
        return repository.findById(id);
    }
}
