import type { DateOrders } from './date-orders.ts'
import type { DecimalCommas } from './decimal-commas.ts'

/** How the dates and numbers of a file's columns are written. */
export type Notations = Readonly<{ dateOrders: DateOrders; decimalCommas: DecimalCommas }>

export const noNotations: Notations = { dateOrders: {}, decimalCommas: new Map() }
