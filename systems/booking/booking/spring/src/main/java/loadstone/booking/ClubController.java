package loadstone.booking;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

/** The operations on clubs. */
@RestController
class ClubController {

    private final Clubs clubs;
    private final ClubService service;
    private final Database database;
    private final RequestReader reader;

    ClubController(Clubs clubs, ClubService service, Database database, RequestReader reader) {
        this.clubs = clubs;
        this.service = service;
        this.database = database;
        this.reader = reader;
    }

    @GetMapping("/clubs")
    ResponseEntity<Listing<Club>> list(
            HttpServletRequest request, @AuthenticationPrincipal Caller caller) {
        Query query = RequestReader.query(request);
        Page page = Page.ascending(query);
        ClubFilter filter = ClubFilter.of(query, caller);
        return Answers.ok(page.listing(database.ask(() -> clubs.list(filter, page)), Club::id));
    }

    @PostMapping("/clubs")
    ResponseEntity<Club> create(HttpServletRequest request, @AuthenticationPrincipal Caller owner)
            throws IOException {
        ClubBody body = Validation.club(reader.body(request));
        Club club = database.ask(() -> clubs.insert(body, owner.id()));
        return Answers.created("/clubs/" + club.id(), club);
    }

    @GetMapping("/clubs/{id}")
    ResponseEntity<Club> get(@PathVariable long id) {
        return database.ask(() -> clubs.find(id)).map(Answers::ok).orElseThrow(Ownership::notFound);
    }

    @PutMapping("/clubs/{id}")
    ResponseEntity<Club> replace(
            @PathVariable long id,
            HttpServletRequest request,
            @AuthenticationPrincipal Caller owner)
            throws IOException {
        ClubBody body = Validation.club(reader.body(request));
        return Answers.ok(service.replace(id, body, owner));
    }

    @PostMapping("/clubs/{id}/facilities")
    ResponseEntity<Facility> addFacility(
            @PathVariable long id,
            HttpServletRequest request,
            @AuthenticationPrincipal Caller owner)
            throws IOException {
        FacilityBody body = Validation.facility(reader.body(request));
        Facility facility = service.addFacility(id, body, owner);
        return Answers.created("/facilities/" + facility.id(), facility);
    }
}
