package loadstone.users;

import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemContent;
import org.springframework.boot.ssl.pem.PemSslStore;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;

/** What callers over TLS are shown, its files read once; the bundle is null in cleartext. */
record Tls(SslBundle bundle) {

    /** What is looked for in a file. */
    private interface Part<T> {
        T of(PemContent content);
    }

    /** Throws IllegalArgumentException, whose message names the variable of a wrong file. */
    static Tls read(Config config) {
        if (!config.protocol().isTls()) {
            return new Tls(null);
        }
        List<X509Certificate> chain =
                read("TLS_CERT", "a chain", config.certificate(), PemContent::getCertificates);
        PrivateKey key =
                read("TLS_KEY", "its PKCS #8 key", config.key(), PemContent::getPrivateKey);
        return new Tls(SslBundle.of(new PemSslStoreBundle(PemSslStore.of(chain, key), null)));
    }

    private static <T> T read(String name, String what, Path file, Part<T> part) {
        String message = name + " must be a PEM file with " + what + ", not \"" + file + "\"";
        T found;
        try {
            found = part.of(PemContent.load(file));
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            throw new IllegalArgumentException(message, e);
        }
        if (found == null) {
            throw new IllegalArgumentException(message);
        }
        return found;
    }
}
