package loadstone.conference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** The countries of a list, by the strategy. Each name is looked up, repeated ones too. */
final class Lookups {

    private final CountryClient client;
    private final Strategy strategy;
    private final int width;
    private final int batchSize;
    private final Executor executor;

    /** The executor runs look-ups that are concurrent. */
    Lookups(CountryClient client, Config config, Executor executor) {
        this.client = client;
        this.strategy = config.strategy();
        this.width = config.width();
        this.batchSize = config.batchSize();
        this.executor = executor;
    }

    /**
     * Gives the conferences with their countries. Throws a Refusal for the first failure, or
     * CallerGone.
     */
    List<ConferenceWithCountry> join(List<Conference> conferences, BooleanSupplier isCallerGone) {
        List<String> names = conferences.stream().map(Conference::getName).toList();
        List<String> countries =
                switch (strategy) {
                    case SEQUENTIAL -> sequentially(names, isCallerGone);
                    case CONCURRENT -> concurrently(names, isCallerGone);
                    case BATCHED -> inBatches(names, isCallerGone);
                };
        List<ConferenceWithCountry> joined = new ArrayList<>(names.size());
        for (int i = 0; i < names.size(); i++) {
            joined.add(new ConferenceWithCountry(names.get(i), countries.get(i)));
        }
        return joined;
    }

    private List<String> sequentially(List<String> names, BooleanSupplier isCallerGone) {
        List<String> countries = new ArrayList<>(names.size());
        for (String name : names) {
            countries.add(client.country(name, isCallerGone));
        }
        return countries;
    }

    private List<String> inBatches(List<String> names, BooleanSupplier isCallerGone) {
        List<String> countries = new ArrayList<>(names.size());
        for (int from = 0; from < names.size(); from += batchSize) {
            int to = Math.min(from + batchSize, names.size());
            countries.addAll(client.countries(names.subList(from, to), isCallerGone));
        }
        return countries;
    }

    /** Each worker takes the next name that is left, so that the slowest holds up no other. */
    private List<String> concurrently(List<String> names, BooleanSupplier isCallerGone) {
        var countries = new String[names.size()];
        var next = new AtomicInteger();
        var workers = new AtomicInteger(Math.min(width, names.size()));
        var all = new CompletableFuture<Void>();
        Runnable worker =
                () -> {
                    try {
                        for (int i;
                                !all.isDone() && (i = next.getAndIncrement()) < names.size(); ) {
                            countries[i] = client.country(names.get(i), isCallerGone);
                        }
                        if (workers.decrementAndGet() == 0) {
                            all.complete(null);
                        }
                    } catch (RuntimeException e) {
                        all.completeExceptionally(e);
                    }
                };
        for (int i = workers.get(); i > 0; i--) {
            executor.execute(worker);
        }
        if (!names.isEmpty()) {
            await(all);
        }
        return Arrays.asList(countries);
    }

    private static void await(CompletableFuture<Void> all) {
        try {
            all.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }
}
