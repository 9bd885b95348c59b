/**
 * Stands in the browser's bundle for the parts of the official client that a first visit does not need (vite.config.ts puts it there): file
 * storage and edge functions are never called; the live socket is loaded later (live-socket.ts). 24 kB less on every first visit. The
 * client's constructor makes one of each.
 */
export class StorageClient {
  readonly isServed = false
}
export class StorageApiError extends Error {}
export class FunctionsClient {
  readonly isServed = false
}
export class FunctionsError extends Error {}
export class FunctionsFetchError extends Error {}
export class FunctionsHttpError extends Error {}
export class FunctionsRelayError extends Error {}
export const FunctionRegion = {}

/** The client tells it of each new token; the real one asks for the token itself. */
export class RealtimeClient {
  setAuth(): Promise<void> {
    return Promise.resolve()
  }
}
