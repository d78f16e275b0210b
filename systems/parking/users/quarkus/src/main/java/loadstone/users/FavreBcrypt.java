package loadstone.users;

import at.favre.lib.crypto.bcrypt.BCrypt;
import java.nio.charset.StandardCharsets;

/** Patrick Favre's library. */
final class FavreBcrypt implements Bcrypt {

    @Override
    public String hash(String password, int cost) {
        byte[] hash =
                BCrypt.with(BCrypt.Version.VERSION_2B)
                        .hash(cost, password.getBytes(StandardCharsets.UTF_8));
        return new String(hash, StandardCharsets.US_ASCII);
    }

    @Override
    public boolean fits(String password, String hash) {
        return BCrypt.verifyer()
                .verify(
                        password.getBytes(StandardCharsets.UTF_8),
                        hash.getBytes(StandardCharsets.US_ASCII))
                .verified;
    }
}
