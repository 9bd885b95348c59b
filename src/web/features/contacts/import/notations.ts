import type { DateOrders } from './date-orders.ts'

/** How the dates and numbers of a file's columns are written. */
export type Notations = Readonly<{ dateOrders: DateOrders; decimalCommas: ReadonlySet<number> }>

export const noNotations: Notations = { dateOrders: {}, decimalCommas: new Set() }
