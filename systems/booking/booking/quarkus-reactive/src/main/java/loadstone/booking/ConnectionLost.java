package loadstone.booking;

/** Ends a statement whose connection is gone, whatever the driver says of it. */
final class ConnectionLost extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ConnectionLost(Throwable cause) {
        super("the connection is gone: " + cause.getMessage(), cause, false, false);
    }
}
