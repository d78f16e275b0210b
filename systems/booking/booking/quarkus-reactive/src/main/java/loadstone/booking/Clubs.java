package loadstone.booking;

import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** The table of clubs. Each method is one statement. */
@Singleton
final class Clubs {

    Uni<List<Club>> list(Lease lease, ClubFilter filter, Page page) {
        return lease.list(Selection.clubs(filter, page), Rows::club);
    }

    Uni<Club> insert(Lease lease, ClubBody body, long ownerId) {
        return lease.single(
                Sql.INSERT_CLUB, Rows::club, ownerId, body.name(), body.city(), body.description());
    }

    Uni<Optional<Club>> find(Lease lease, long id) {
        return lease.optional(Sql.CLUB, Rows::club, id);
    }

    Uni<Optional<Long>> findOwner(Lease lease, long id) {
        return lease.optional(Sql.OWNER_OF_CLUB, Rows::id, id);
    }

    Uni<Optional<Club>> update(Lease lease, long id, ClubBody body) {
        return lease.optional(
                Sql.UPDATE_CLUB, Rows::club, id, body.name(), body.city(), body.description());
    }
}
