package main

import "regexp"

// vehicle is one of a user. Words of lists are places.
type vehicle struct {
	plate        string
	kind, energy int16
}

// optionalVehicle is what the columns of one are beside a user who may have none.
type optionalVehicle struct {
	plate        *string
	kind, energy *int16
}

const plateForm = `L[A-Z]-[0-9]{5}`

var plateShape = regexp.MustCompile(`^` + plateForm + `$`)

func plateFault(plate string) string {
	if !plateShape.MatchString(plate) {
		return "format"
	}
	return ""
}

// readVehicle is the body of put-vehicle, of one with the plate of the path.
func readVehicle(plate string) func(*object) vehicle {
	return func(o *object) vehicle {
		return vehicle{
			plate:  plate,
			kind:   o.word("vehicleType", vehicleTypes),
			energy: o.word("vehicleEnergySource", energySources),
		}
	}
}

func (v vehicle) appendTo(to []byte) []byte {
	to = withText(to, `{"licensePlateNumber":`, v.plate)
	to = withText(to, `,"vehicleType":`, vehicleTypes[v.kind])
	to = withText(to, `,"vehicleEnergySource":`, energySources[v.energy])
	return append(to, '}')
}

// appendTo adds it where it is one.
func (v optionalVehicle) appendTo(list []vehicle) []vehicle {
	if v.plate == nil {
		return list
	}
	return append(list, vehicle{*v.plate, *v.kind, *v.energy})
}
