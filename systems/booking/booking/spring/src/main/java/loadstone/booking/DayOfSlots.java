package loadstone.booking;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/** What `list-slots` answers. */
@JsonPropertyOrder({"date", "slots"})
record DayOfSlots(String date, List<Slot> slots) {}
