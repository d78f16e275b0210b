package loadstone.users;

import io.vertx.core.MultiMap;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

/** Whom the gateway says that a request is from, and whether they may ask for the operation. */
@Singleton
final class Admission {

    private static final String ID = "X-User-Id";
    private static final String ROLE = "X-User-Role";
    private static final String KEY = "X-Internal-Key";

    private final byte[] internalKey;

    Admission(Config config) {
        this.internalKey = config.internalKey().getBytes(StandardCharsets.US_ASCII);
    }

    /** Gives the caller, or null where nobody asks who it is. Throws a Refusal. */
    Caller admit(MultiMap fields, Operation operation, long userId) {
        if (operation.access() == Access.SERVICE && !hasKey(fields.getAll(KEY))) {
            throw new Refusal(Problem.FORBIDDEN);
        }
        if (!operation.access().needsIdentity()) {
            return null;
        }
        Caller caller = caller(fields.getAll(ID), fields.getAll(ROLE));
        if (!operation.access().admits(caller, userId)) {
            throw new Refusal(Problem.FORBIDDEN);
        }
        return caller;
    }

    /** Of the values of the two fields. Throws a Refusal. */
    static Caller caller(List<String> ids, List<String> roles) {
        if (ids.isEmpty() || roles.isEmpty()) {
            throw new Refusal(Problem.TOKEN_MISSING);
        }
        Role role = roles.size() == 1 ? Words.find(roles.get(0), Role.values()) : null;
        if (role == null || ids.size() > 1 || !Ids.isId(ids.get(0))) {
            throw new Refusal(Problem.TOKEN_INVALID);
        }
        return new Caller(Long.parseLong(ids.get(0)), role);
    }

    /** Compares in a time that does not tell where another key differs. */
    private boolean hasKey(List<String> keys) {
        return keys.size() == 1
                && MessageDigest.isEqual(keys.get(0).getBytes(StandardCharsets.UTF_8), internalKey);
    }
}
