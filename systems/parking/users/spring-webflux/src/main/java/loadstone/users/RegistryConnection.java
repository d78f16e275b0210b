package loadstone.users;

import java.io.IOException;

/** The stack's client of HTTP on the way to the registry. */
interface RegistryConnection {

    /** Gives the status of an answer; the body, in JSON, is null where there is none. */
    int exchange(String method, String path, byte[] body) throws IOException;
}
