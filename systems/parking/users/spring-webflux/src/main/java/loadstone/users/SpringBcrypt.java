package loadstone.users;

import org.springframework.security.crypto.bcrypt.BCrypt;

/** Bcrypt of Spring Security. */
final class SpringBcrypt implements Bcrypt {

    private static final String PREFIX = "$2b";

    @Override
    public String hash(String password, int cost) {
        return BCrypt.hashpw(password, BCrypt.gensalt(PREFIX, cost));
    }

    @Override
    public boolean fits(String password, String hash) {
        return BCrypt.checkpw(password, hash);
    }
}
