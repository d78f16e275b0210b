package loadstone.booking;

/** A reservation with the owner of its club. A caller is what the token says, in one role. */
record OwnedReservation(Reservation reservation, long ownerId) {

    boolean isOfPlayer(Caller caller) {
        return caller.role() == Role.PLAYER && reservation.playerId() == caller.id();
    }

    boolean isOfOwner(Caller caller) {
        return caller.role() == Role.OWNER && ownerId == caller.id();
    }
}
