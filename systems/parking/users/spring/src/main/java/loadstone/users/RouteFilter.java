package loadstone.users;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/**
 * Refuses what is no operation, by the path as it was sent, and whoever may not ask for it, before
 * Spring looks for a handler, which reads the body.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class RouteFilter extends HttpFilter {

    /** The attribute in which the caller of a request is, where it was asked who that is. */
    static final String CALLER = "caller";

    private static final long serialVersionUID = 1L;
    private static final String OPERATION = RouteFilter.class.getName();

    private final transient Admission admission;

    RouteFilter(Admission admission) {
        this.admission = admission;
    }

    /** The operation of a request, or null where it is none. */
    static Operation operation(HttpServletRequest request) {
        return (Operation) request.getAttribute(OPERATION);
    }

    /** Whether the request is no operation. Its answer is then written. */
    static boolean isRefused(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Route.Match match = Route.of(request.getRequestURI());
        if (match == null) {
            Problems.write(response, Problem.NOT_FOUND, List.of());
            return true;
        }
        Operation operation = match.route().operation(request.getMethod());
        if (operation == null) {
            response.setHeader(HttpHeaders.ALLOW, match.route().allowed());
            Problems.write(response, Problem.METHOD_NOT_ALLOWED, List.of());
            return true;
        }
        request.setAttribute(OPERATION, operation);
        return false;
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        OwnFields.set(request, response);
        if (isRefused(request, response)) {
            return;
        }
        try {
            long userId = Route.of(request.getRequestURI()).userId();
            request.setAttribute(CALLER, admission.admit(request, operation(request), userId));
        } catch (Refusal e) {
            Problems.write(response, e.problem(), e.faults());
            return;
        }
        chain.doFilter(request, response);
    }
}
