export interface PacedRequest {
  /** The complete request. `newId` in it is replaced by a new id each time. */
  text: string
  /** How often it is chosen among a user's requests. */
  weight: number
  /** Its body adds a row with the id `newId`. */
  adds: boolean
}

export interface PacedOrder {
  host: string
  port: number
  /** Requests per second. */
  rate: number
  seconds: number
  /** Requests that may wait for their answer at the same time. What is due beyond that is not sent, and counted. */
  connections: number
  users: PacedRequest[][]
  /** The share of all requests that the first user sends; the others share the rest. */
  shareOfFirst: number
}

export interface PacedReport {
  sent: number
  /** Due while all connections waited for an answer. */
  notSent: number
  /** Answers by status; 'lost' where the connection ended without an answer. */
  statuses: Record<string, number>
  /** Of answers below 300, ms. */
  p50: number
  p99: number
  /** Of answers from 500, ms. */
  p99OfRefused: number
  /** Refusals without `Retry-After`. */
  withoutRetryAfter: number
  /** Accepted requests of each user. */
  accepted: number[]
  /** Ids of rows that the server confirmed. */
  added: string[]
  /** Ids of rows whose answer did not come: they may be there or not. */
  unknown: string[]
}

/** As long as an id, so that the length of the body stays right. */
export const newId = '00000000-new0-0000-0000-00000000id00'
