package loadstone.conference;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The countries of a list, by the strategy. Each name is looked up, repeated ones too. */
final class Lookups {

    private final CountryClient client;
    private final Strategy strategy;
    private final int width;
    private final int batchSize;

    Lookups(CountryClient client, Config config) {
        this.client = client;
        this.strategy = config.strategy();
        this.width = config.width();
        this.batchSize = config.batchSize();
    }

    /**
     * Gives the conferences with their countries. Fails with a Refusal for the first failure, or
     * with CallerGone.
     */
    Future<List<ConferenceWithCountry>> join(
            List<Conference> conferences, BooleanSupplier isCallerGone) {
        List<String> names = conferences.stream().map(Conference::getName).toList();
        Future<List<String>> countries =
                switch (strategy) {
                    case SEQUENTIAL -> each(names, 1, isCallerGone);
                    case CONCURRENT -> each(names, width, isCallerGone);
                    case BATCHED -> inBatches(names, isCallerGone);
                };
        return countries.map(found -> join(names, found));
    }

    private Future<List<String>> each(List<String> names, int most, BooleanSupplier isCallerGone) {
        return Turns.take(names, most, isCallerGone, client::country);
    }

    private Future<List<String>> inBatches(List<String> names, BooleanSupplier isCallerGone) {
        List<List<String>> batches = new ArrayList<>();
        for (int from = 0; from < names.size(); from += batchSize) {
            batches.add(names.subList(from, Math.min(from + batchSize, names.size())));
        }
        return Turns.take(batches, 1, isCallerGone, client::countries)
                .map(found -> found.stream().flatMap(List::stream).toList());
    }

    private static List<ConferenceWithCountry> join(List<String> names, List<String> countries) {
        List<ConferenceWithCountry> joined = new ArrayList<>(names.size());
        for (int i = 0; i < names.size(); i++) {
            joined.add(new ConferenceWithCountry(names.get(i), countries.get(i)));
        }
        return joined;
    }
}
