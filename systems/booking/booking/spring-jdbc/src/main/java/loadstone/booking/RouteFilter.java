package loadstone.booking;

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
 * Refuses what is no operation, by the path as it was sent, before Spring Security asks for a token
 * and Spring looks for a handler.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class RouteFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;
    private static final String OPERATION = RouteFilter.class.getName();

    /** The operation of a request that came through. */
    static Operation operation(HttpServletRequest request) {
        return (Operation) request.getAttribute(OPERATION);
    }

    /** Whether the request is no operation. Its answer is then written. */
    static boolean isRefused(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Route route = Route.of(request.getRequestURI());
        if (route == null) {
            Problems.write(response, Problem.NOT_FOUND, List.of());
            return true;
        }
        Operation operation = route.operation(request.getMethod());
        if (operation == null) {
            response.setHeader(HttpHeaders.ALLOW, route.allowed());
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
        if (!isRefused(request, response)) {
            chain.doFilter(request, response);
        }
    }
}
