package loadstone.conference;

/** Ends a request whose caller went away: nobody reads its answer. */
final class CallerGone extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CallerGone() {
        super("the caller went away", null, false, false);
    }
}
