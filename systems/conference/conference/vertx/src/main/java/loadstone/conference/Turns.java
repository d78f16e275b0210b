package loadstone.conference;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;

/**
 * Asks for each entry of a list, a bounded number at the same time. As soon as one is answered the
 * next begins, so that the slowest holds up no other. It all happens on one event loop.
 */
final class Turns<A, B> {

    private final List<A> questions;
    private final List<B> answers;
    private final BiFunction<A, BooleanSupplier, Future<B>> ask;
    private final BooleanSupplier isOver;
    private final Promise<List<B>> all = Promise.promise();

    private int next;
    private int answered;

    private Turns(
            List<A> questions,
            BooleanSupplier isCallerGone,
            BiFunction<A, BooleanSupplier, Future<B>> ask) {
        this.questions = questions;
        this.answers = new ArrayList<>(Collections.nCopies(questions.size(), null));
        this.ask = ask;
        this.isOver = () -> all.future().isComplete() || isCallerGone.getAsBoolean();
    }

    /** Gives the answers in the order of the questions, or the first failure, which ends them. */
    static <A, B> Future<List<B>> take(
            List<A> questions,
            int most,
            BooleanSupplier isCallerGone,
            BiFunction<A, BooleanSupplier, Future<B>> ask) {
        if (questions.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        var turns = new Turns<>(questions, isCallerGone, ask);
        for (int i = Math.min(most, questions.size()); i > 0; i--) {
            turns.takeNext();
        }
        return turns.all.future();
    }

    private void takeNext() {
        if (next == questions.size() || all.future().isComplete()) {
            return;
        }
        int own = next++;
        ask.apply(questions.get(own), isOver)
                .onComplete(
                        answer -> {
                            answers.set(own, answer);
                            if (++answered == questions.size()) {
                                all.tryComplete(answers);
                            } else {
                                takeNext();
                            }
                        },
                        all::tryFail);
    }
}
