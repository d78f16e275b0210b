package loadstone.conference;

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

    private final FailureLog log;

    Problems(FailureLog log) {
        this.log = log;
    }

    @ExceptionHandler
    void refused(Refusal refusal, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Operation operation = RouteFilter.operation(request);
        if (refusal.problem().isFailure()) {
            log.write(operation, refusal.problem(), refusal.getMessage());
        }
        write(response, refusal.problem(), operation, refusal.faults());
    }

    /** Nobody is there to be answered. */
    @ExceptionHandler
    void gone(CallerGone gone) {}

    @ExceptionHandler
    void failed(Exception failure, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        boolean isOfCaller = isOfCaller(failure);
        Operation operation = RouteFilter.operation(request);
        if (!isOfCaller) {
            log.write(operation, Problem.INTERNAL, failure.toString());
        }
        if (!response.isCommitted()) {
            Problem problem = isOfCaller ? Problem.MALFORMED : Problem.INTERNAL;
            write(response, problem, operation, List.of());
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

    static void write(
            HttpServletResponse response, Problem problem, Operation operation, List<Fault> faults)
            throws IOException {
        byte[] body = problem.json(operation, faults);
        response.setStatus(problem.status());
        response.setContentType(Problem.MEDIA_TYPE);
        response.setContentLength(body.length);
        if (problem.status() == Problem.SERVICE_UNAVAILABLE) {
            response.setHeader(HttpHeaders.RETRY_AFTER, Problem.RETRY_AFTER_SECONDS);
        }
        response.getOutputStream().write(body);
    }
}
