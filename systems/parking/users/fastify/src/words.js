/** The lists of words, which are stored as their places in them. */

export const SUPERVISOR = 'SUPERVISOR';
export const CUSTOMER = 'CUSTOMER';
export const CUSTOMER_MANAGER = 'CUSTOMER_MANAGER';
export const NOT_DEFINED = 'NOT_DEFINED';
export const ENABLED = 'ENABLED';

export const ROLES = [SUPERVISOR, CUSTOMER, CUSTOMER_MANAGER, 'PARK_MANAGER'];
/** A role of tokens that no user has. */
export const DEVICE = 'DEVICE';

export const PAYMENT_METHODS = ['CREDIT', 'DEBIT', 'PAYPAL', NOT_DEFINED];
export const USER_STATUSES = [ENABLED, 'DISABLED', 'BLOCKED'];
export const VEHICLE_TYPES = ['AUTOMOBILE', 'MOTORCYCLE'];
export const ENERGY_SOURCES = ['FUEL', 'GPL', 'ELECTRIC', 'PLUG_IN_HYBRID'];
