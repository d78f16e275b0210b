package loadstone.users;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;

/** The fields of every answer. */
final class OwnFields {

    private OwnFields() {}

    static void set(HttpServletRequest request, HttpServletResponse response) {
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        response.setHeader("X-Instance-Id", "users-" + request.getLocalPort());
    }
}
