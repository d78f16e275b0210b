package loadstone.conference;

/** A row of the table. Its id is the caller's. */
final class Conference {

    private final String id;
    private final String name;

    Conference(String id, String name) {
        this.id = id;
        this.name = name;
    }

    String getId() {
        return id;
    }

    String getName() {
        return name;
    }
}
