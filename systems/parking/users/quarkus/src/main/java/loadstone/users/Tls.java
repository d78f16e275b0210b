package loadstone.users;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of TLS, looked at before Quarkus reads them, since it would not name the variable. */
final class Tls {

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");

    private Tls() {}

    /** Throws IllegalArgumentException, whose message names the variable of a wrong file. */
    static void check(Config config) {
        if (config.protocol().isTls()) {
            if (!isChain(config.certificate())) {
                throw wrong("TLS_CERT", "a chain", config.certificate());
            }
            if (!isKey(config.key())) {
                throw wrong("TLS_KEY", "its PKCS #8 key", config.key());
            }
        }
    }

    private static boolean isChain(Path file) {
        try (InputStream text = Files.newInputStream(file)) {
            return !CertificateFactory.getInstance("X.509").generateCertificates(text).isEmpty();
        } catch (IOException | GeneralSecurityException e) {
            return false;
        }
    }

    private static boolean isKey(Path file) {
        try {
            Matcher key = KEY.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
            return key.find() && isKey(Base64.getMimeDecoder().decode(key.group(1)));
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isKey(byte[] bytes) {
        for (String algorithm : ALGORITHMS) {
            try {
                KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
                return true;
            } catch (GeneralSecurityException e) {
                // It may be of the next one.
            }
        }
        return false;
    }

    private static IllegalArgumentException wrong(String name, String what, Path file) {
        return new IllegalArgumentException(
                name + " must be a PEM file with " + what + ", not \"" + file + "\"");
    }
}
