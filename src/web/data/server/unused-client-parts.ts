/**
 * Replaces parts of the official client in the browser's bundle (by vite.config.ts): file storage, edge functions, the administrator's calls and
 * sign-in by a wallet, which the app never uses, and the live socket, which is loaded later (live-socket.ts). Saves 26 kB on every first visit.
 * The client's constructor creates an object of each class.
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

/** The client passes each new token to this class. The real socket reads the token itself. */
export class RealtimeClient {
  setAuth(): Promise<void> {
    return Promise.resolve()
  }
}

/** The calls of an administrator. They need the secret key, which no browser has. */
class GoTrueAdminApi {
  readonly isServed = false
}
export { GoTrueAdminApi as default }

/** Replaces a function that is never called. */
export function unused(): never {
  throw new Error('This part of the client is not in the app.')
}
export { unused as createSiweMessage, unused as fromHex, unused as getAddress, unused as toHex }
