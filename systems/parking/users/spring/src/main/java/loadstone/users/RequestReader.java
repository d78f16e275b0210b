package loadstone.users;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.stereotype.Component;

/** What operations read of a request by themselves: Spring would be lenient with it. */
@Component
class RequestReader {

    private final Json json;

    RequestReader(Json json) {
        this.json = json;
    }

    /** Reads the whole body, as a JSON value. Throws a Refusal. */
    Object body(HttpServletRequest request) throws IOException {
        return RequestBody.read(
                request.getInputStream(),
                request.getContentLengthLong(),
                request.getContentType(),
                json);
    }
}
