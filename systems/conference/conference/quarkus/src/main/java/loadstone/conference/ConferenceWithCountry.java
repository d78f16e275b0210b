package loadstone.conference;

/** An entry of the list with countries. */
public record ConferenceWithCountry(String name, String country) {}
