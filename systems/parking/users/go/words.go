package main

import "slices"

// words are a list, whose words are stored as their place in it.
type words []string

var (
	roles          = words{supervisor, customer, customerManager, "PARK_MANAGER"}
	paymentMethods = words{"CREDIT", "DEBIT", "PAYPAL", notDefined}
	userStatuses   = words{enabled, "DISABLED", "BLOCKED"}
	vehicleTypes   = words{"AUTOMOBILE", "MOTORCYCLE"}
	energySources  = words{"FUEL", "GPL", "ELECTRIC", "PLUG_IN_HYBRID"}
)

const (
	supervisor      = "SUPERVISOR"
	customer        = "CUSTOMER"
	customerManager = "CUSTOMER_MANAGER"
	// device is a role of tokens that no user has.
	device = "DEVICE"

	notDefined = "NOT_DEFINED"
	enabled    = "ENABLED"
)

// placeOf is that of a word of the list.
func (w words) placeOf(word string) int16 { return int16(slices.Index(w, word)) }

// faultOf names what is wrong with a text that should be one of the words.
func (w words) faultOf(text string) string {
	if !slices.Contains(w, text) {
		return "unknown-value"
	}
	return ""
}
