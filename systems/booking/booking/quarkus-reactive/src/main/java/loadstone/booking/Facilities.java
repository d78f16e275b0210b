package loadstone.booking;

import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** The table of facilities. Each method is one statement. */
@Singleton
final class Facilities {

    /** Leaves out those that are retired. */
    Uni<List<Facility>> list(Lease lease, FacilityFilter filter, Page page) {
        return lease.list(Selection.facilities(filter, page), Rows::facility);
    }

    Uni<Facility> insert(Lease lease, FacilityBody body, long clubId) {
        return lease.single(
                Sql.INSERT_FACILITY,
                Rows::facility,
                clubId,
                body.name(),
                body.sport(),
                body.slotMinutes(),
                body.opens(),
                body.closes(),
                body.priceCents());
    }

    Uni<Optional<Facility>> find(Lease lease, long id) {
        return lease.optional(Sql.FACILITY, Rows::facility, id);
    }

    Uni<Boolean> exists(Lease lease, long id) {
        return lease.update(Sql.HAS_FACILITY, id).map(count -> count == 1);
    }

    /** Gives the owner of its club. */
    Uni<Optional<Long>> findOwner(Lease lease, long id) {
        return lease.optional(Sql.OWNER_OF_FACILITY, Rows::id, id);
    }

    Uni<Optional<Facility>> update(Lease lease, long id, FacilityBody body) {
        return lease.optional(
                Sql.UPDATE_FACILITY,
                Rows::facility,
                id,
                body.name(),
                body.sport(),
                body.slotMinutes(),
                body.opens(),
                body.closes(),
                body.priceCents());
    }

    Uni<Integer> retire(Lease lease, long id) {
        return lease.update(Sql.RETIRE_FACILITY, id);
    }
}
