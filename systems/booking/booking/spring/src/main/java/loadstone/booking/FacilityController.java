package loadstone.booking;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.LocalDate;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

/** The operations on facilities, their slots and their ratings. */
@RestController
class FacilityController {

    private final Facilities facilities;
    private final Reservations reservations;
    private final Ratings ratings;
    private final ClubService service;
    private final Database database;
    private final RequestReader reader;

    FacilityController(
            Facilities facilities,
            Reservations reservations,
            Ratings ratings,
            ClubService service,
            Database database,
            RequestReader reader) {
        this.facilities = facilities;
        this.reservations = reservations;
        this.ratings = ratings;
        this.service = service;
        this.database = database;
        this.reader = reader;
    }

    @GetMapping("/facilities")
    ResponseEntity<Listing<Facility>> list(HttpServletRequest request) {
        Query query = RequestReader.query(request);
        Page page = Page.ascending(query);
        FacilityFilter filter = FacilityFilter.of(query);
        List<Facility> read = database.ask(() -> facilities.list(filter, page));
        return Answers.ok(page.listing(read, Facility::id));
    }

    @GetMapping("/facilities/{id}")
    ResponseEntity<Facility> get(@PathVariable long id) {
        return Answers.ok(find(id));
    }

    @PutMapping("/facilities/{id}")
    ResponseEntity<Facility> replace(
            @PathVariable long id,
            HttpServletRequest request,
            @AuthenticationPrincipal Caller owner)
            throws IOException {
        FacilityBody body = Validation.facility(reader.body(request));
        return Answers.ok(service.replaceFacility(id, body, owner));
    }

    @DeleteMapping("/facilities/{id}")
    ResponseEntity<Void> retire(@PathVariable long id, @AuthenticationPrincipal Caller owner) {
        service.retireFacility(id, owner);
        return ResponseEntity.noContent().build();
    }

    @GetMapping("/facilities/{id}/slots")
    ResponseEntity<DayOfSlots> listSlots(@PathVariable long id, HttpServletRequest request) {
        LocalDate day = Query.required(RequestReader.query(request).day("date"));
        Facility facility = find(id);
        List<Span> taken =
                database.ask(
                        () ->
                                reservations.taken(
                                        id, Instants.start(day), Instants.start(day.plusDays(1))));
        return Answers.ok(Grid.show(facility, day, taken));
    }

    @GetMapping("/facilities/{id}/ratings")
    ResponseEntity<RatingListing> listRatings(@PathVariable long id, HttpServletRequest request) {
        Page page = Page.ascending(RequestReader.query(request));
        if (!database.ask(() -> facilities.exists(id))) {
            throw Ownership.notFound();
        }
        List<Rating> read = database.ask(() -> ratings.list(id, page));
        RatingSummary summary = database.ask(() -> ratings.summary(id));
        return Answers.ok(RatingListing.of(page.listing(read, Rating::reservationId), summary));
    }

    private Facility find(long id) {
        return database.ask(() -> facilities.find(id)).orElseThrow(Ownership::notFound);
    }
}
