package loadstone.gateway;

import java.util.Set;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/** Which fields of an answer pass on to the caller, beside those that the gateway has set. */
@Component
class AnswerFields implements HttpHeadersFilter {

    private final Config config;
    private final Origins origins;

    AnswerFields(Config config, Origins origins) {
        this.config = config;
        this.origins = origins;
    }

    @Override
    public boolean supports(Type type) {
        return type == Type.RESPONSE;
    }

    @Override
    public HttpHeaders filter(HttpHeaders fields, ServerWebExchange exchange) {
        Set<String> ending = FieldNames.ending(fields, config);
        ending.add(Call.REQUEST_ID);
        if (origins.isAllowed(Call.of(exchange).fields())) {
            ending.addAll(Origins.FIELDS);
        }
        return FieldNames.without(ending, fields);
    }
}
