package loadstone.users;

import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** The fields of every answer. */
final class OwnFields {

    static final String NOT_STORED = "no-store";
    static final String INSTANCE_ID = "X-Instance-Id";

    private OwnFields() {}

    /** The value of the second one, by the address that is listened on. */
    static String instanceId(SocketAddress address) {
        return "users-" + ((InetSocketAddress) address).getPort();
    }
}
