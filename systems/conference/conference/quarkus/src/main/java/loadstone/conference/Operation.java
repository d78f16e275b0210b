package loadstone.conference;

/** What callers can ask for, with the title that its failures have. */
enum Operation {
    LIST("GET", "Error occurred while retrieving conferences"),
    INSERT("POST", "Error occurred while creating conference"),
    WITH_COUNTRY("GET", "Error occurred while retrieving conferences with country"),
    GET("GET", "Error occurred while retrieving conference"),
    REPLACE("PUT", "Error occurred while updating conference"),
    REMOVE("DELETE", "Error occurred while removing conference"),
    LIVE("GET", "Error occurred"),
    READY("GET", "Error occurred while asking the database");

    private final String method;
    private final String failureTitle;

    Operation(String method, String failureTitle) {
        this.method = method;
        this.failureTitle = failureTitle;
    }

    String method() {
        return method;
    }

    String failureTitle() {
        return failureTitle;
    }
}
