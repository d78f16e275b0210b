package loadstone.gateway;

import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/** The fields that the gateway sets on every answer, also on what it passes on. */
@Component
class OwnFields {

    private final Origins origins;

    OwnFields(Origins origins) {
        this.origins = origins;
    }

    void set(HttpHeaders answer, Call call) {
        answer.set(Call.REQUEST_ID, call.requestId());
        if (origins.isAllowed(call.fields())) {
            origins.expose(answer);
        }
    }
}
