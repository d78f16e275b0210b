package loadstone.booking;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** The slots of a facility. They begin when it opens, and there are whole ones until it closes. */
final class Grid {

    private Grid() {}

    /** Throws a Refusal where a reservation is outside the hours, or off the grid. */
    static void check(Facility facility, ReservationBody body) {
        String code = faultOf(facility, body);
        if (code != null) {
            throw new Refusal(Problem.VALIDATION, List.of(new Fault("/starts_at", code)));
        }
    }

    private static String faultOf(Facility facility, ReservationBody body) {
        long begin = Instants.secondOfDay(body.startsAt()) - seconds(facility.opens());
        long length = seconds(body.slots() * facility.slotMinutes());
        long open = seconds(facility.closes() - facility.opens());
        // A part of a second behind the last start is behind it.
        boolean hasFraction = body.startsAt().getNano() != 0;
        if (begin < 0 || begin + length + (hasFraction ? 1 : 0) > open) {
            return "outside-hours";
        }
        return hasFraction || begin % seconds(facility.slotMinutes()) != 0 ? "not-aligned" : null;
    }

    /** When a reservation ends. */
    static Instant end(Facility facility, ReservationBody body) {
        return body.startsAt().plusSeconds(seconds(body.slots() * facility.slotMinutes()));
    }

    /** What a reservation costs. */
    static int price(Facility facility, ReservationBody body) {
        return body.slots() * facility.priceCents();
    }

    /** Shows the slots of a day, of which some times are taken. */
    static DayOfSlots show(Facility facility, LocalDate day, List<Span> taken) {
        List<Slot> slots = new ArrayList<>();
        Duration length = Duration.ofMinutes(facility.slotMinutes());
        Instant closes = Instants.start(day).plusSeconds(seconds(facility.closes()));
        Instant start = Instants.start(day).plusSeconds(seconds(facility.opens()));
        for (Instant end; !(end = start.plus(length)).isAfter(closes); start = end) {
            slots.add(new Slot(start, end, !facility.retired() && isFree(start, end, taken)));
        }
        return new DayOfSlots(day.toString(), slots);
    }

    private static boolean isFree(Instant start, Instant end, List<Span> taken) {
        return taken.stream().noneMatch(span -> span.overlaps(start, end));
    }

    private static long seconds(int minutes) {
        return (long) minutes * Instants.SECONDS_OF_MINUTE;
    }
}
