package loadstone.users;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers of 4xx and 5xx. */
@RestControllerAdvice
class Problems {

    @ExceptionHandler
    void refused(Refusal refusal, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (refusal.problem().isFailure()) {
            FailureLog.write(
                    RouteFilter.operation(request), refusal.problem(), refusal.getMessage());
        }
        write(response, refusal.problem(), refusal.faults());
    }

    /** Of a failure no more is told than what it is: its text may be of the request. */
    @ExceptionHandler
    void failed(Exception failure, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        boolean isOfCaller = isOfCaller(failure);
        if (!isOfCaller) {
            String name = failure.getClass().getName();
            FailureLog.write(RouteFilter.operation(request), Problem.INTERNAL, name);
        }
        if (!response.isCommitted()) {
            write(response, isOfCaller ? Problem.MALFORMED : Problem.INTERNAL, List.of());
        }
    }

    /** Whether the body did not come, or the answer could not be sent. */
    private static boolean isOfCaller(Exception failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof IOException) {
                return true;
            }
        }
        return false;
    }

    static void write(HttpServletResponse response, Problem problem, List<Fault> faults)
            throws IOException {
        byte[] body = problem.json(faults);
        response.setStatus(problem.status());
        response.setContentType(Problem.MEDIA_TYPE);
        response.setContentLength(body.length);
        if (problem.isChallenge()) {
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, Problem.CHALLENGE);
        }
        if (problem == Problem.UNAVAILABLE) {
            response.setHeader(HttpHeaders.RETRY_AFTER, Problem.RETRY_AFTER_SECONDS);
        }
        response.getOutputStream().write(body);
    }
}
