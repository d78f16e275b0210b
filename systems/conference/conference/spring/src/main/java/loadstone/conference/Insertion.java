package loadstone.conference;

/** What Spring Data has no method for: its `save` looks first, and updates what is there. */
interface Insertion {

    void insert(Conference conference);
}
