/** A request of the load generator in paced-load.ts. */
export interface PacedRequest {
  /** The complete request. `idPlaceholder` in its text is replaced by a new id each time. */
  text: string
  /** Relative frequency of this request among the user's requests. */
  weight: number
  /** True if the body adds a row with the id `idPlaceholder`. */
  addsRow: boolean
}

/** What the load generator has to send. */
export interface PacedOrder {
  host: string
  port: number
  /** Requests per second. */
  rate: number
  seconds: number
  /** Maximum number of requests that wait for a response at the same time. Requests above it are not sent, and are counted in `notSent`. */
  connections: number
  /** The requests of each user. The generator picks one at random, by their weights. */
  users: PacedRequest[][]
  /** Share of all requests that the first user sends. The others share the rest. */
  shareOfFirst: number
}

/** What the load generator prints. */
export interface PacedReport {
  sent: number
  /** Requests that were due while all connections waited for a response. */
  notSent: number
  /** Number of responses by status. 'lost': requests whose connection failed or ended without a response. */
  statuses: Record<string, number>
  /** Delay of responses with a status below 300: median and 99th percentile (ms). */
  p50: number
  p99: number
  /** 99th percentile of these delays for all users except the first (ms). */
  p99OfOthers: number
  /** 99th percentile of these delays (ms): for the first request on a connection, which the server has to accept, and for later requests. */
  p99OfFirst: number
  p99OfLater: number
  /** 99th percentile of the delay of responses with a status of 300 or more (ms). */
  p99OfRefused: number
  /** Number of responses with a status of 300 or more and without `Retry-After`. */
  withoutRetryAfter: number
  /** Number of accepted requests of each user. */
  accepted: number[]
  /** Ids of rows that the server confirmed. */
  added: string[]
  /** Ids of rows whose request got no response. Such a row may exist. */
  unknown: string[]
}

/** Placeholder of an id. It is as long as an id, so that the length of the body stays right. */
export const idPlaceholder = '00000000-new0-0000-0000-00000000id00'
