package loadstone.booking;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.vertx.MutinyHelper;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Hashes for the event loops: what is computed elsewhere goes on where it was asked for. */
@Singleton
final class HashCalls {

    private final Vertx vertx;
    private final Hashes hashes;

    HashCalls(Vertx vertx, Hashes hashes) {
        this.vertx = vertx;
        this.hashes = hashes;
    }

    Uni<String> hash(String password) {
        return call(() -> hashes.hash(password));
    }

    Uni<Boolean> fits(String password, String hash) {
        return call(() -> hashes.fits(password, hash));
    }

    Uni<Boolean> fitsNobody() {
        return call(hashes::fitsNobody);
    }

    private <T> Uni<T> call(Supplier<CompletableFuture<T>> hash) {
        return Uni.createFrom()
                .completionStage(hash)
                .emitOn(MutinyHelper.executor(vertx.getOrCreateContext()));
    }
}
